import { ApiError, expired } from '../api/api-error.ts';
import type { Clock } from '../api/clock.ts';
import type { Revision } from '../api/revision.ts';
import { Turn } from '../api/turn.ts';
import type { Entry } from './entry.ts';
import type { Encoder } from './frames.ts';
import type { Outlet } from './outlet.ts';
import { prefixEnd, type ReadonlyOrderedMap } from './ordered-map.ts';
import type { DecidedRights, ScopeRights } from './rights.ts';
import type { Scope } from './scope.ts';
import type { KeyRange } from './snapshot.ts';

/** Objects whose rights and forms are prepared together. */
const AT_ONCE = 100;

/** Where a stream stands when rights change. */
interface Standing {
  readonly encoder: Encoder;
  readonly scope: Scope;
  /** The objects at the revision up to which it has sent everything. */
  readonly items: ReadonlyOrderedMap<Entry>;
  readonly revision: Revision;
  readonly clock: Clock;
}

/**
 * What a change of rights means for a stream: objects that its user may see from
 * now on as ADDED, those that it no longer may as DELETED. The new rights are
 * accepted with the last frame. Rights that cannot be decided stay as they were.
 *
 * @throws ApiError 410 when a right goes before the client has taken what it gave
 */
export async function* rightsFrames(
  scope: ScopeRights,
  standing: Standing,
): AsyncGenerator<Buffer, void> {
  const { rights } = scope;
  const next = rights.next();
  let hasBegun = false;
  try {
    for await (const namespace of changedNamespaces(scope, next, standing)) {
      for await (const frame of framesOf(scope, next, standing, namespace)) {
        hasBegun = true;
        yield frame;
      }
    }
  } catch (error) {
    if (hasBegun || !(error instanceof ApiError) || error.code !== 500) throw error;
    return;
  }
  rights.accept(next);
}

/** Writes the frames of {@link rightsFrames} as the client takes them. */
export async function sendRightsFrames(
  scope: ScopeRights,
  standing: Standing,
  outlet: Outlet,
): Promise<void> {
  for await (const frame of rightsFrames(scope, standing)) {
    outlet.write(frame);
    if (!(await outlet.room())) return;
  }
}

/** Keys of the namespaces in which something else is allowed; all keys where there are none. */
async function* changedNamespaces(
  { rights: { now } }: ScopeRights,
  next: DecidedRights,
  { items, scope: { range }, clock }: Standing,
): AsyncGenerator<KeyRange, void> {
  const turn = new Turn(clock, 1);
  let start: string | undefined = range.start;
  while (start !== undefined) {
    const [first] = items.range(start, range.end);
    if (first === undefined) return;
    const { namespace } = first;
    const end = namespace === '' ? range.end : prefixEnd(`${namespace}/`);
    await next.prepare([first]);
    if (!now.isSame(next, namespace)) yield { start, end: range.end ?? end };
    start = range.end === undefined ? end : undefined;
    if (turn.over()) await turn.next();
  }
}

async function* framesOf(
  { rights, selects, prepare }: ScopeRights,
  next: DecidedRights,
  { encoder, items, revision, clock }: Standing,
  { start, end }: KeyRange,
): AsyncGenerator<Buffer, void> {
  const { now } = rights;
  const turn = new Turn(clock, 1);
  for (const entries of inParts(items.range(start, end))) {
    await next.prepare(entries);
    const changed = entries.filter((entry) => now.allows(entry) !== next.allows(entry));
    await prepare?.(changed);
    for (const entry of changed) {
      // it may have been forgotten since
      const again = prepare?.([entry]);
      if (again !== undefined) await again;
      if (turn.over()) await turn.next();
      if (!selects(entry)) continue;
      if (!next.allows(entry)) yield await encoder.event('DELETED', entry.deletedAt(revision));
      else if (rights.hasLost(entry)) throw rightsChanged();
      else yield await encoder.event('ADDED', entry);
    }
    if (turn.over()) await turn.next();
  }
}

function* inParts(entries: Iterable<Entry>): Generator<Entry[], void> {
  let part: Entry[] = [];
  for (const entry of entries) {
    if (entry.corrupt) continue;
    part.push(entry);
    if (part.length < AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** What a client is told that cannot be shown how its rights have changed: it has to list again. */
export function rightsChanged(): ApiError {
  return expired('The rights of the user have changed; list again.');
}
