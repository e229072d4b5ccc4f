import type { Clock } from '../../../api/clock.ts';
import type { UserInfo } from '../../../api/user.ts';
import type { Revision } from '../../../api/revision.ts';
import { Turn } from '../../../api/turn.ts';
import type { Entry } from '../../../watch/entry.ts';
import { Listeners } from '../../../watch/listeners.ts';
import type { ChangingRights } from '../../../watch/rights.ts';
import { rightsChanged } from '../../../watch/rights-frames.ts';
import type { AuthorizationAttributes, Authorizer } from '../authorizer.ts';
import type { RightsLog } from '../rbac/rights-log.ts';
import { DecidedPart } from './decided-part.ts';

/** Parts that streams of the same user share until rights change again. */
const MAX_SHARED_PARTS = 1_000;

interface VisiblePartsOptions {
  readonly authorizer: Authorizer;
  readonly log: RightsLog;
  readonly clock: Clock;
}

/** The parts of collections that users may see, for answers, and for streams that follow their rights. */
export class VisibleParts {
  readonly #options: VisiblePartsOptions;
  readonly #streams = new Set<() => void>();
  /** By what is asked; of the present epoch. */
  readonly #shared = new Map<string, DecidedPart>();
  #epoch = 0;
  #isTelling = false;

  constructor(options: VisiblePartsOptions) {
    this.#options = options;
    options.log.listen(() => this.#changed());
  }

  /** Grows with each change of roles and bindings. */
  get epoch(): number {
    return this.#epoch;
  }

  /** For one answer. */
  once(attributes: AuthorizationAttributes): DecidedPart {
    return new DecidedPart(this.#options.authorizer, attributes);
  }

  /** For a stream, which follows the rights of its user while it lasts. */
  follow(attributes: AuthorizationAttributes): FollowedPart {
    return new FollowedPart(this, attributes);
  }

  /** As it is now, to be asked whether something is still allowed; streams share it. */
  current(attributes: AuthorizationAttributes): DecidedPart {
    const key = JSON.stringify(attributes);
    let part = this.#shared.get(key);
    if (part === undefined) {
      if (this.#shared.size >= MAX_SHARED_PARTS) this.#shared.clear();
      this.#shared.set(key, (part = this.once(attributes)));
    }
    return part;
  }

  changedSince(user: UserInfo, revision: Revision): Promise<boolean> {
    return this.#options.log.changedSince(user, revision);
  }

  listen(wake: () => void): () => void {
    this.#streams.add(wake);
    return () => void this.#streams.delete(wake);
  }

  #changed(): void {
    this.#epoch++;
    this.#shared.clear();
    if (this.#isTelling || this.#streams.size === 0) return;
    this.#isTelling = true;
    setImmediate(() => void this.#tell());
  }

  async #tell(): Promise<void> {
    this.#isTelling = false;
    const turn = new Turn(this.#options.clock, 1);
    for (const wake of [...this.#streams]) {
      if (this.#streams.has(wake)) wake();
      if (turn.over()) await turn.next();
    }
  }
}

/** The part that the user of one stream may see. */
export class FollowedPart implements ChangingRights {
  readonly #parts: VisibleParts;
  readonly #wakers = new Listeners<void>();
  #attributes: AuthorizationAttributes;
  #epoch: number;
  /** The user, or what another server says, may have changed. */
  #isRenewed = false;
  now: DecidedPart;

  constructor(parts: VisibleParts, attributes: AuthorizationAttributes) {
    this.#parts = parts;
    this.#attributes = attributes;
    this.#epoch = parts.epoch;
    this.now = parts.once(attributes);
  }

  get isStale(): boolean {
    return this.#isRenewed || this.#epoch !== this.#parts.epoch;
  }

  /** The user as of now, each time its credentials are looked at again. */
  renew(user: UserInfo): void {
    const { user: before } = this.#attributes;
    if (JSON.stringify(user) !== JSON.stringify(before))
      this.#attributes = { ...this.#attributes, user };
    else if (!this.now.isFromElsewhere) return;
    this.#isRenewed = true;
    this.#wakers.tell();
  }

  next(): DecidedPart {
    this.#epoch = this.#parts.epoch;
    this.#isRenewed = false;
    // not shared: what it has decided is what this stream has shown
    return this.#parts.once(this.#attributes);
  }

  accept(next: DecidedPart): void {
    this.now = next;
  }

  prepare(entries: readonly Entry[]): Promise<void> | undefined {
    return this.now.prepare(entries);
  }

  allows(entry: Entry): boolean {
    if (!this.now.allows(entry)) return false;
    if (this.hasLost(entry)) throw rightsChanged();
    return true;
  }

  hasLost(entry: Entry): boolean {
    if (!this.isStale) return false;
    const current = this.#parts.current(this.#attributes);
    const wait = current.prepare([entry]);
    if (wait === undefined) return !current.allows(entry);
    // another server is asked again in its own time
    wait.catch(() => undefined);
    return false;
  }

  changedSince(revision: Revision): Promise<boolean> {
    return this.#parts.changedSince(this.#attributes.user, revision);
  }

  listen(wake: () => void): () => void {
    const forget = [this.#parts.listen(wake), this.#wakers.add(wake)];
    return () => {
      for (const each of forget) each();
    };
  }
}
