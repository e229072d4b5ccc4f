import type { Clock } from '../../api/clock.ts';
import { Flow, type Waiting } from './flow.ts';
import { AdaptiveLimit } from './adaptive-limit.ts';
import type { Expiring } from '../../api/expiries.ts';
import { FlowHeap } from './flow-heap.ts';

/** One user may keep so many waiting; more are refused. */
export const MAX_WAITING_PER_USER = 256;
/** And all together so many. */
const MAX_WAITING = 4_096;
/** Requests that have given their seats back while they wait for other servers; more keep theirs. */
const MAX_AWAY = 1_000;
/** Users that are remembered though nothing of them is under way. */
const MAX_IDLE_FLOWS = 4_096;

/** What a request has while it is worked on; to be given back once. */
export interface Pass {
  readonly flow: Flow;
  readonly width: number;
  /** Given though others had more than there is now: see {@link Gate}. */
  isBeyond: boolean;
  /** Calls to other servers that are under way for the request. */
  calls: number;
  /** `away`: its seats are given back for the time of those calls; `left`: for good. */
  place: 'seated' | 'away' | 'left';
}

/**
 * Seats for one kind of requests, given out fairly among users (start-time fair
 * queuing: who has had least comes first, and a user that was away has no
 * claims from then). No user has all the seats: a quarter stays for the others,
 * so requests of one that hang never keep all others waiting, nor a wide one that
 * began when there were more seats than there are now. A request that waits for
 * another server gives its seats back until it goes on; one user has never more
 * requests under way than three quarters of all seats, in seats or out of them.
 */
export class Gate {
  readonly #limit: AdaptiveLimit;
  readonly #isFair: boolean;
  readonly #clock: Clock;
  readonly #flows = new Map<string, Flow>();
  /** Flows with requests that wait and could begin: not those that have all that one user may have. */
  readonly #heap = new FlowHeap();
  /** Flows that are not in the heap because they had all that one user may have. */
  readonly #atShare = new Set<Flow>();
  #used = 0;
  #away = 0;
  /** Of those, what was given beyond the limit, out of the quarter for the others. */
  #beyond = 0;
  #waiting = 0;
  /** Virtual time: where the request began that began last. */
  #virtualTime = 0;

  /** `limit` 0: as many as come. */
  constructor(limit: number, isFair: boolean, clock: Clock) {
    this.#limit = new AdaptiveLimit(limit === 0 ? Infinity : limit);
    this.#isFair = isFair;
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get used(): number {
    return this.#used;
  }

  /** Fewer than the operator allows, because of the load. */
  get isReduced(): boolean {
    return this.#limit.isReduced;
  }

  /** A round of the event loop in which requests waited took so long. */
  sawRound(ms: number): void {
    this.#limit.sawRound(ms, this.#used);
    this.#enlistAtShare();
  }

  /** Requests wait, and the event loop has nothing to do. */
  sawIdle(): void {
    this.#limit.sawIdle();
    this.#enlistAtShare();
  }

  /** True when this user has nothing else under way and is first in the queue. */
  comesFirst(user: string): boolean {
    const flow = this.#flowOf(user);
    return flow.isIdle && this.#isNext(flow);
  }

  /** Seats at once, unless another user comes first. */
  tryEnter(user: string, width: number): Pass | undefined {
    const flow = this.#flowOf(user);
    if (!this.#isNext(flow)) return undefined;
    return this.#fits(flow, width) ? this.#take(flow, width) : undefined;
  }

  /**
   * Waits for seats. `start` is called with them, from {@link startNext} only.
   * Returns undefined when too many wait already.
   */
  wait(user: string, width: number, start: (pass: Pass) => void): Waiting | undefined {
    const flow = this.#flowOf(user);
    if (flow.open >= MAX_WAITING_PER_USER || this.#waiting >= MAX_WAITING) return undefined;
    const waiting: Waiting = {
      flow,
      width,
      isOpen: true,
      start: () => start(this.#take(flow, width)),
    };
    flow.waiting.push(waiting);
    flow.open++;
    this.#waiting++;
    this.#enlist(flow);
    return waiting;
  }

  /**
   * Ends the rest of a connection when fewer requests of this user wait, and
   * after a second in any case. False: few wait already, so it need not rest.
   */
  rest(user: string, resting: Expiring): boolean {
    const flow = this.#flows.get(user);
    if (flow?.isAhead !== true) return false;
    flow.rest(resting);
    return true;
  }

  /** A request that no longer waits. */
  giveUp(waiting: Waiting): void {
    if (waiting.isOpen) this.#close(waiting);
    // Those before it may have been given up, too; without this they would stay until the user is served again.
    waiting.flow.first();
  }

  /** Lets the next one begin and returns its width; 0 when none waits or none can. */
  startNext(): number {
    for (;;) {
      const flow = this.#heap.peek();
      if (flow === undefined) return 0;
      const next = flow.first();
      if (next !== undefined && !this.#hasRoom(flow, this.#seats(next.width))) return 0;
      this.#heap.pop();
      if (next === undefined) continue;
      if (!this.#fits(flow, next.width)) {
        this.#atShare.add(flow);
        continue;
      }
      this.#close(next);
      flow.waiting.shift();
      next.start();
      this.#enlist(flow);
      return next.width;
    }
  }

  /** Gives the seats back. `extra`: what the request took beyond its width, in the same measure. */
  leave(pass: Pass, extra = 0): void {
    const { flow, place } = pass;
    // Calls may still be under way although no request waits for them.
    if (place === 'away') this.#takeBack(pass);
    this.#giveBack(pass);
    pass.place = 'left';
    flow.tag += extra;
    if (flow.open > 0) this.#enlist(flow);
    else if (flow.isIdle && flow.tag <= this.#virtualTime) this.#flows.delete(flow.user);
  }

  /** The request waits for another server. To be followed by {@link comeBack}, as often as it is called. */
  stepOut(pass: Pass): void {
    const { flow, width } = pass;
    if (pass.calls++ > 0 || pass.place !== 'seated') return;
    if (!this.#isFair || this.#away + width > MAX_AWAY) return;
    pass.place = 'away';
    this.#away += width;
    flow.away += width;
    this.#giveBack(pass);
    this.#enlist(flow);
  }

  /** It goes on, with seats of its own even if there is none now: others begin later. */
  comeBack(pass: Pass): void {
    if (--pass.calls === 0 && pass.place === 'away') this.#takeBack(pass);
  }

  #takeBack(pass: Pass): void {
    const { flow, width } = pass;
    pass.place = 'seated';
    this.#away -= width;
    flow.away -= width;
    flow.seats += width;
    this.#used += width;
  }

  #giveBack(pass: Pass): void {
    const { flow, width, isBeyond } = pass;
    this.#used -= width;
    flow.seats -= width;
    if (isBeyond) this.#beyond -= width;
    pass.isBeyond = false;
  }

  /** All seats that one user may have. */
  get #perUser(): number {
    return Math.max(1, Math.floor(this.#limit.current) - this.#reserve);
  }

  /** What stays for others than the one who has most. */
  get #reserve(): number {
    const { current } = this.#limit;
    return this.#isFair && current !== Infinity ? Math.ceil(current / 4) : 0;
  }

  /** What one user may have under way, in seats and out of them. */
  get #mostOfOne(): number {
    const { max } = this.#limit;
    return this.#isFair && max !== Infinity ? Math.max(1, max - Math.ceil(max / 4)) : max;
  }

  /** Would a request of this user be the next to begin? */
  #isNext(flow: Flow): boolean {
    if (flow.open > 0) return false;
    const first = this.#heap.peek();
    return first === undefined || Math.max(flow.tag, this.#virtualTime) < first.key;
  }

  #seats(width: number): number {
    return Math.min(width, this.#perUser);
  }

  #fits(flow: Flow, asked: number): boolean {
    const width = this.#seats(asked);
    return this.#isWithinShare(flow, width) && this.#hasRoom(flow, width);
  }

  #isWithinShare(flow: Flow, asked: number): boolean {
    const seats = flow.seats + this.#seats(asked);
    return seats <= this.#perUser && seats + flow.away <= this.#mostOfOne;
  }

  #hasRoom(flow: Flow, width: number): boolean {
    const { current, max } = this.#limit;
    const used = this.#used + width;
    if (used <= current) return true;
    return flow.isIdle && used <= max && this.#beyond + width <= this.#reserve;
  }

  #take(flow: Flow, asked: number): Pass {
    const width = this.#seats(asked);
    this.#used += width;
    const isBeyond = this.#used > this.#limit.current;
    if (isBeyond) this.#beyond += width;
    flow.seats += width;
    this.#virtualTime = Math.max(this.#virtualTime, flow.tag);
    // A list of many objects counts as what it is, even when there are fewer seats.
    flow.tag = this.#virtualTime + asked;
    return { flow, width, isBeyond, calls: 0, place: 'seated' };
  }

  #close(waiting: Waiting): void {
    waiting.isOpen = false;
    waiting.flow.open--;
    this.#waiting--;
    waiting.flow.wake();
  }

  #enlist(flow: Flow): void {
    if (flow.inHeap || flow.open === 0) return;
    this.#atShare.delete(flow);
    flow.tag = Math.max(flow.tag, this.#virtualTime);
    this.#heap.push(flow);
  }

  /** Those that had all that one user may have may have more now. */
  #enlistAtShare(): void {
    for (const flow of this.#atShare) {
      const next = flow.first();
      if (next === undefined) this.#atShare.delete(flow);
      else if (this.#isWithinShare(flow, next.width)) this.#enlist(flow);
    }
  }

  #flowOf(user: string): Flow {
    const known = this.#flows.get(user);
    if (known !== undefined) return known;
    if (this.#flows.size >= MAX_IDLE_FLOWS) this.#forgetIdle();
    const flow = new Flow(user, this.#clock);
    this.#flows.set(user, flow);
    return flow;
  }

  #forgetIdle(): void {
    for (const [user, { isIdle, open }] of this.#flows) {
      if (isIdle && open === 0) this.#flows.delete(user);
    }
  }
}
