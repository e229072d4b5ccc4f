import { systemClock, type Clock } from '../api/clock.ts';
import { PerTurn } from '../api/per-turn.ts';

/** Bytes that connections of one user may hold and their clients have not taken. */
const MAX_UNSENT_PER_USER = 32 * 1024 * 1024;
/** And those of all users. */
const MAX_UNSENT = 128 * 1024 * 1024;
/** A client that takes nothing for so long is cut off when others wait for what it holds. */
export const UNSENT_PATIENCE_MS = 30_000;
/** Answers that go on in one turn of the event loop: to make a piece takes up to 0.5 ms. */
const RESUMED_PER_TURN = 16;

interface UnsentLimits {
  readonly perUser: number;
  readonly total: number;
  readonly clock: Clock;
}

/** What the connections of one user hold. */
class Account {
  held = 0;
  claims = 0;
  /** Claims that wait, in the order of their arrival. */
  readonly line = new Set<UnsentClaim>();
}

/**
 * Counts the bytes that were given to connections and have not left the process.
 * Where a user, or the process, has no room for more, an answer waits in line
 * before its next bytes are made or copied. Users take turns, so that one user's
 * line does not delay another's.
 */
export class UnsentBudget {
  readonly #limits: UnsentLimits;
  readonly #accounts = new Map<string, Account>();
  /** Accounts with room of their own that wait for that of the process. */
  readonly #ready = new Set<Account>();
  /** Claims that hold something, the one without progress for longest first. */
  readonly #holders = new Set<UnsentClaim>();
  /** Frames that streams are in the middle of, by their memory, and how many streams. */
  readonly #pins = new Map<ArrayBufferLike, number>();
  #pinned = 0;
  #held = 0;
  #waiting = 0;
  #cutOff = 0;
  readonly #resumed = new PerTurn(RESUMED_PER_TURN);
  #isServing = false;
  #isArmed = false;

  constructor(limits: UnsentLimits) {
    this.#limits = limits;
  }

  /** Bytes that have been given to connections and not left. */
  get held(): number {
    return this.#held;
  }

  /** Answers that wait for room. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Clients that were cut off so that others could go on. */
  get cutOff(): number {
    return this.#cutOff;
  }

  /** For one answer. `cutOff` ends its connection; it must not throw. */
  claim(user: string, cutOff: () => void): UnsentClaim {
    let account = this.#accounts.get(user);
    if (account === undefined) this.#accounts.set(user, (account = new Account()));
    account.claims++;
    return new UnsentClaim(this, user, account, cutOff);
  }

  /** For {@link UnsentClaim} alone, as everything below. */
  take(claim: UnsentClaim, bytes: number): boolean {
    const { account } = claim;
    if (account.line.size > 0 || !this.#userFits(account, bytes) || !this.#fits(bytes)) {
      account.line.add(claim);
      this.#waiting++;
      if (this.#userFits(account, bytes)) this.#ready.add(account);
      this.#arm();
      return false;
    }
    this.#give(claim, bytes);
    return true;
  }

  giveBack(claim: UnsentClaim, bytes: number): void {
    this.#held -= bytes;
    claim.account.held -= bytes;
    this.#serve(claim.account);
  }

  leaveLine(claim: UnsentClaim): void {
    if (!claim.account.line.delete(claim)) return;
    this.#waiting--;
    this.#serve(claim.account);
  }

  /** The claim has made progress; `isHolding`: it still holds something. */
  moved(claim: UnsentClaim, isHolding: boolean): void {
    this.#holders.delete(claim);
    if (!isHolding) return;
    claim.movedAt = this.#limits.clock.monotonic();
    this.#holders.add(claim);
  }

  pin({ buffer }: Buffer): void {
    const streams = this.#pins.get(buffer) ?? 0;
    if (streams === 0) this.#pinned += buffer.byteLength;
    this.#pins.set(buffer, streams + 1);
    this.#arm();
  }

  unpin({ buffer }: Buffer): void {
    const streams = this.#pins.get(buffer) ?? 0;
    if (streams > 1) {
      this.#pins.set(buffer, streams - 1);
    } else if (this.#pins.delete(buffer)) {
      this.#pinned -= buffer.byteLength;
    }
  }

  left({ user, account }: UnsentClaim): void {
    if (--account.claims === 0) this.#accounts.delete(user);
  }

  #userFits({ held }: Account, bytes: number): boolean {
    return held === 0 || held + bytes <= this.#limits.perUser;
  }

  #fits(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#limits.total;
  }

  #give(claim: UnsentClaim, bytes: number): void {
    this.#held += bytes;
    claim.account.held += bytes;
    claim.held += bytes;
    this.moved(claim, true);
  }

  #serve(changed: Account): void {
    if (changed.line.size > 0) this.#ready.add(changed);
    // What goes on may give back at once.
    if (this.#isServing) return;
    this.#isServing = true;
    for (const account of this.#ready) {
      this.#ready.delete(account);
      const [first] = account.line;
      if (first === undefined || !this.#userFits(account, first.asked)) continue;
      this.#ready.add(account);
      if (!this.#fits(first.asked)) break;
      account.line.delete(first);
      this.#waiting--;
      this.#give(first, first.asked);
      this.#resumed.run(() => first.goOn());
    }
    this.#isServing = false;
  }

  #arm(): void {
    if (this.#isArmed || !(this.#waiting > 0 || this.#isPinnedFull())) return;
    this.#isArmed = true;
    this.#limits.clock.after(LOOK_MS, () => {
      this.#isArmed = false;
      this.#look();
      this.#arm();
    });
  }

  #isPinnedFull(): boolean {
    return this.#pinned > this.#limits.total;
  }

  #look(): void {
    const before = this.#limits.clock.monotonic() - UNSENT_PATIENCE_MS;
    for (const claim of this.#holders) {
      if (claim.movedAt > before) return;
      const { account } = claim;
      if (account.line.has(claim)) continue;
      if (account.line.size === 0 && this.#ready.size === 0 && !this.#isPinnedFull()) continue;
      this.#cutOff++;
      claim.end();
    }
  }
}

/** While answers wait, so often the others are looked at. */
const LOOK_MS = 1_000;

/** What one answer holds of the budget. */
export class UnsentClaim {
  readonly user: string;
  readonly account: Account;
  readonly #budget: UnsentBudget;
  readonly #cutOff: () => void;
  readonly #pins = new Set<Buffer>();
  /** Of the line. */
  asked = 0;
  held = 0;
  movedAt = 0;
  #then: () => void = NOTHING;
  #open = true;

  constructor(budget: UnsentBudget, user: string, account: Account, cutOff: () => void) {
    this.#budget = budget;
    this.user = user;
    this.account = account;
    this.#cutOff = cutOff;
  }

  /** False: it waits, and `then` is called when it has the bytes, or never has them because it has left. */
  take(bytes: number, then: () => void): boolean {
    if (!this.#open) return true;
    this.asked = bytes;
    if (this.#budget.take(this, bytes)) return true;
    this.#then = then;
    return false;
  }

  /** So many bytes have left. */
  sent(bytes: number): void {
    if (!this.#open) return;
    this.held -= bytes;
    this.#budget.moved(this, this.#isHolding());
    this.#budget.giveBack(this, bytes);
  }

  /** A frame is kept until the client has taken it. */
  pin(frame: Buffer): void {
    if (!this.#open || this.#pins.has(frame)) return;
    this.#pins.add(frame);
    this.#budget.pin(frame);
    this.#budget.moved(this, true);
  }

  unpin(frame: Buffer): void {
    if (!this.#pins.delete(frame)) return;
    this.#budget.unpin(frame);
    this.#budget.moved(this, this.#isHolding());
  }

  /** The answer is over, and nothing of it is kept. */
  leave(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const frame of this.#pins) this.#budget.unpin(frame);
    this.#pins.clear();
    this.#budget.moved(this, false);
    this.#budget.leaveLine(this);
    this.#budget.giveBack(this, this.held);
    this.held = 0;
    this.#budget.left(this);
    this.goOn();
  }

  /** For the budget alone: cuts the client off. */
  end(): void {
    this.leave();
    this.#cutOff();
  }

  /** For the budget alone: it has what it waited for. */
  goOn(): void {
    const then = this.#then;
    this.#then = NOTHING;
    then();
  }

  #isHolding(): boolean {
    return this.held > 0 || this.#pins.size > 0;
  }
}

const NOTHING = (): void => undefined;

/** Of the process: every answer is written with it. */
export const unsentBudget = new UnsentBudget({
  perUser: MAX_UNSENT_PER_USER,
  total: MAX_UNSENT,
  clock: systemClock,
});
