import { getPath } from '../../api/json.ts';
import { parseTime } from '../../api/time.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { relativeKey } from '../../storage/keys.ts';
import type { Entry } from '../../watch/entry.ts';
import { Follower } from '../../watch/follower.ts';
import { EVENTS_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { eventNameOf, eventNamespaceOf, identityOf } from './occurrence.ts';
import { PROBLEM_SOURCES, type Problem } from './problems.ts';
import type { EventRecorder } from './recorder.ts';

const PERIOD_MS = 60_000;
const REST_MS = 500;
/** Objects with problems that are followed at one time. */
const MAX_OBJECTS = 1_000;
/** Objects that are read before others have their turn. */
const OBJECTS_PER_TURN = 20;
/** A problem that stands is looked at again after this: its Event may have expired. */
const REPEAT_MS = 600_000;

interface Followed extends Problem {
  /** Milliseconds since 1970; undefined: not told yet. */
  toldAt: number | undefined;
}

/**
 * Sees to it that each problem which a condition of a namespace, a definition or
 * an APIService tells of has an Event, for as long as the problem stands. It
 * reads what other loops have written: none of them depends on Events, and after
 * a change of leader nothing is told twice.
 */
export class ProblemLoop implements Loop {
  readonly name = 'event-problems';
  readonly periodMs = PERIOD_MS;
  readonly wokenBy = [...PROBLEM_SOURCES.keys()];
  readonly elected = true;
  readonly restMs = REST_MS;
  readonly #parts: RegistryParts;
  readonly #recorder: EventRecorder;
  #followers = new Map<string, Follower>();
  /** By store prefix and key. */
  readonly #objects = new Map<string, Followed[]>();

  constructor(parts: RegistryParts, recorder: EventRecorder) {
    this.#parts = parts;
    this.#recorder = recorder;
  }

  reset(): void {
    this.#followers = new Map();
    this.#objects.clear();
  }

  async step(signal: AbortSignal): Promise<LoopReport> {
    for (const [prefix, read] of PROBLEM_SOURCES) await this.#follow(prefix, read, signal);
    const now = this.#parts.clock.now();
    let told = 0;
    let next = Infinity;
    for (const problems of this.#objects.values()) {
      for (const problem of problems) {
        const due = dueAt(problem);
        if (due > now) next = Math.min(next, due);
        else if (this.#tell(problem, now)) told++;
      }
    }
    const summary = `${this.#objects.size} objects with problems, ${told} told`;
    return next === Infinity ? { summary } : { summary, againAfterMs: next - now };
  }

  async #follow(
    prefix: string,
    read: (entry: Entry) => readonly Problem[],
    signal: AbortSignal,
  ): Promise<void> {
    const follower =
      this.#followers.get(prefix) ?? new Follower(this.#parts.reader.replica, prefix);
    this.#followers.set(prefix, follower);
    const changes = follower.changes();
    if (!changes.all) {
      await inTurns(changes.events, signal, ({ type, entry }) =>
        this.#note(prefix + entry.key, type === 'DELETED' ? [] : read(entry)),
      );
      return;
    }
    for (const key of this.#objects.keys()) if (key.startsWith(prefix)) this.#objects.delete(key);
    await inTurns(changes.items.range(''), signal, (entry) =>
      this.#note(prefix + entry.key, read(entry)),
    );
  }

  #note(key: string, problems: readonly Problem[]): void {
    const before = this.#objects.get(key) ?? [];
    if (problems.length === 0) {
      this.#objects.delete(key);
      return;
    }
    if (before.length === 0 && this.#objects.size >= MAX_OBJECTS) return;
    const followed = problems.map((problem) => {
      const same = before.find((one) => isSame(one, problem));
      return { ...problem, toldAt: same?.toldAt };
    });
    this.#objects.set(key, followed);
  }

  /** False: its Event is there. */
  #tell(problem: Followed, now: number): boolean {
    problem.toldAt = now;
    if (this.#isTold(problem)) return false;
    this.#recorder.record(problem.occurrence);
    return true;
  }

  #isTold({ occurrence, since }: Problem): boolean {
    const key = relativeKey(eventNamespaceOf(occurrence), eventNameOf(occurrence));
    const entry = this.#parts.reader.replica.collection(EVENTS_PREFIX).items.get(key);
    if (entry === undefined) return false;
    if (entry.corrupt) return true;
    const event = entry.object();
    const last = getPath(event, 'series', 'lastObservedTime') ?? event.eventTime;
    return typeof last === 'string' && (parseTime(last) ?? 0) >= since;
  }
}

/** Reading an object may take a while: others have their turn in between. */
async function inTurns<T>(
  items: Iterable<T>,
  signal: AbortSignal,
  look: (item: T) => void,
): Promise<void> {
  let looked = 0;
  for (const item of items) {
    if (++looked % OBJECTS_PER_TURN === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    look(item);
  }
}

function dueAt({ since, graceMs, toldAt }: Followed): number {
  return toldAt === undefined ? since + graceMs : toldAt + REPEAT_MS;
}

function isSame(a: Problem, b: Problem): boolean {
  return a.since === b.since && identityOf(a.occurrence) === identityOf(b.occurrence);
}
