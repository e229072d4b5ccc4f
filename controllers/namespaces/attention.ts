import type { Replica } from '../../watch/replica.ts';
import type { Entry } from '../../watch/entry.ts';
import { Follower } from '../../watch/follower.ts';
import { NAMESPACES_PREFIX } from '../../registry/prefixes.ts';

/** A failing namespace is looked at again after so long, doubling up to the most. */
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 60_000;
/** A namespace that waits for others is looked at so often, even if nothing seems to have changed. */
const IDLE_MS = 300_000;

interface Waiting {
  /** Resources whose objects it waits for. */
  readonly prefixes: readonly string[];
  /** Monotonic time at which it is due anyhow. */
  readonly until: number;
  readonly failuresInARow: number;
}

/**
 * Which namespaces are being deleted, and which of them there is something to do
 * for. One that only waits for finalizers costs nothing until one of the objects
 * that it waits for changes, however many wait and however busy the rest is.
 */
export class Attention {
  readonly #replica: Replica;
  readonly #namespaces: Follower;
  readonly #terminating = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #content = new Map<string, Follower>();

  constructor(replica: Replica) {
    this.#replica = replica;
    this.#namespaces = new Follower(replica, NAMESPACES_PREFIX);
  }

  get terminating(): number {
    return this.#terminating.size;
  }

  /** Has an object changed that a namespace may be waiting for? */
  get behind(): boolean {
    for (const follower of this.#content.values()) if (follower.behind) return true;
    return false;
  }

  /** Namespaces to be looked at now, in the order of their names. */
  due(now: number): string[] {
    this.#followNamespaces();
    this.#followContent();
    const isDue = (name: string): boolean => (this.#waiting.get(name)?.until ?? now) <= now;
    return [...this.#terminating].filter(isDue).sort();
  }

  /** How long until the next one is due by itself. */
  nextIn(now: number): number {
    let next = IDLE_MS;
    for (const { until } of this.#waiting.values()) next = Math.min(next, until - now);
    return Math.max(0, next);
  }

  /** Nothing is to be done for it until one of its objects changes. */
  wait(name: string, prefixes: readonly string[], now: number, failed: boolean): void {
    const failures = failed ? (this.#waiting.get(name)?.failuresInARow ?? 0) + 1 : 0;
    const delay = failed ? Math.min(RETRY_MIN_MS * 2 ** (failures - 1), RETRY_MAX_MS) : IDLE_MS;
    this.#waiting.set(name, { prefixes, until: now + delay, failuresInARow: failures });
  }

  /** From now on changes of these resources are noticed: to be called before their objects are looked at. */
  follow(prefixes: readonly string[]): void {
    for (const prefix of prefixes) {
      if (this.#content.has(prefix)) continue;
      const follower = new Follower(this.#replica, prefix);
      follower.changes();
      this.#content.set(prefix, follower);
    }
  }

  /** Other resources are served than before: what could not be looked at may be now. */
  touchAll(): void {
    for (const name of this.#terminating) this.#touch(name);
  }

  #followNamespaces(): void {
    const changes = this.#namespaces.changes();
    if (changes.all) {
      this.#terminating.clear();
      this.#waiting.clear();
      this.#content.clear();
      for (const entry of changes.items.range('')) this.#note(entry);
      return;
    }
    for (const { type, entry } of changes.events) {
      if (type === 'DELETED') this.#forget(entry.name);
      else this.#note(entry);
    }
  }

  #note(entry: Entry): void {
    if (isTerminating(entry)) {
      this.#terminating.add(entry.name);
      this.#touch(entry.name);
    } else this.#forget(entry.name);
  }

  #forget(name: string): void {
    this.#terminating.delete(name);
    this.#waiting.delete(name);
  }

  /** A failing namespace keeps its back-off: changes do not shorten it. */
  #touch(name: string): void {
    const waiting = this.#waiting.get(name);
    if (waiting !== undefined && waiting.failuresInARow === 0) this.#waiting.delete(name);
  }

  #followContent(): void {
    const wanted = new Set([...this.#waiting.values()].flatMap(({ prefixes }) => prefixes));
    for (const [prefix, follower] of this.#content) {
      if (!wanted.has(prefix)) {
        this.#content.delete(prefix);
        continue;
      }
      const changes = follower.changes();
      if (changes.all) this.touchAll();
      else for (const { entry } of changes.events) this.#touch(entry.namespace);
    }
  }
}

function isTerminating(entry: Entry): boolean {
  if (entry.corrupt) return false;
  return entry.metadata().deletionTimestamp !== undefined;
}
