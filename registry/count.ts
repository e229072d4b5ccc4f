import { badRequest } from '../api/api-error.ts';
import type { JsonValue } from '../api/json.ts';
import type { Query } from '../api/query.ts';
import type { Revision } from '../api/revision.ts';
import { Turn } from '../api/turn.ts';
import { GroupCounts, type Group } from '../query/group-counts.ts';
import { resolvePath } from '../query/resolve-path.ts';
import { parseValuePath, type ValuePath } from '../query/value-path.ts';
import type { Caller } from '../watch/caller.ts';
import { listReadPoint, type ListOptions } from './list-options.ts';
import type { RegistryParts } from './parts.ts';
import { selected } from './selected.ts';
import { selectionOf } from './selection.ts';
import type { ServedResource, Target } from './served-resource.ts';
import { shownValue } from './shown-value.ts';

/** What a client asks of the number of objects; undefined when it asks for the objects. */
export interface CountOptions {
  /** Empty: one number for all. */
  readonly groupBy: string;
}

/** Other values than true have always been ignored. */
export function countOptionsFrom(query: Query): CountOptions | undefined {
  const groupBy = query.get('groupBy') ?? '';
  return groupBy !== '' || query.get('count') === 'true' ? { groupBy } : undefined;
}

/**
 * A request that counts must not do anything else: a client that forgets this would delete
 * what it wants to count.
 *
 * @throws ApiError 400
 */
export function refuseCount(query: Query, what: string): void {
  if (countOptionsFrom(query) === undefined) return;
  throw badRequest(`count and groupBy are allowed only for lists, not for ${what}`);
}

export interface CountResult {
  /** Undefined for objects that are computed. */
  readonly revision: Revision | undefined;
  readonly count: number;
  /** Absent when none were asked for. */
  readonly groups: readonly Group[] | undefined;
  /** Objects whose values have no group of their own, since there are too many values. */
  readonly others: number;
}

/**
 * How many objects there are at a revision. Without selectors and groups no
 * object is looked at.
 *
 * @throws ApiError 400, 410, 504
 */
export async function count(
  parts: RegistryParts,
  target: Target,
  options: ListOptions,
  { groupBy }: CountOptions,
  caller?: Caller,
): Promise<CountResult> {
  const { resource } = target;
  const selection = selectionOf(parts.views, target, options);
  const path = groupBy === '' ? undefined : groupPath(groupBy, resource);
  const { prefix } = resource;
  // a limit makes pages, of which a number has none
  const point = listReadPoint({ ...options, limit: 0 });
  const snapshot = await parts.reader.snapshot(prefix, point, caller);
  const { revision } = snapshot;
  const isReadable = parts.reader.replica.collection(prefix).unreadable.size === 0;
  if (path === undefined && selection.everything && isReadable) {
    const total = await snapshot.count(selection.range);
    return { revision, count: total, groups: undefined, others: 0 };
  }
  const valueOf = path === undefined ? undefined : shownValue(parts.views, resource, path);
  const counts = new GroupCounts();
  const turn = new Turn(parts.clock, 1);
  let total = 0;
  for await (const entries of selected(parts, snapshot, selection.range, selection)) {
    total += entries.length;
    if (valueOf === undefined) continue;
    await selection.prepare?.(entries);
    for (const entry of entries) {
      // it may have been forgotten since
      const again = selection.prepare?.([entry]);
      if (again !== undefined) await again;
      counts.add(valueOf(entry));
      if (turn.over()) await turn.next();
    }
  }
  return {
    revision,
    count: total,
    groups: path === undefined ? undefined : counts.groups(),
    others: counts.others,
  };
}

/** The path of the parameter `groupBy`. @throws ApiError 400 */
export function groupPath(text: string, resource: ServedResource): ValuePath {
  const parsed = parseValuePath(text);
  if ('error' in parsed) throw badRequest(`invalid groupBy: ${parsed.error}`);
  const resolved = resolvePath(resource.version.schema(), parsed.path);
  if ('error' in resolved) throw badRequest(`invalid groupBy: ${resolved.error}`);
  if (resolved.kind === 'tree') {
    throw badRequest(`invalid groupBy: path ${JSON.stringify(text)} holds more than one value`);
  }
  return parsed.path;
}

/** The answer to a count. */
export function countObject({ revision, count: total, groups, others }: CountResult): JsonValue {
  return {
    kind: 'Count',
    apiVersion: COUNT_API_VERSION,
    metadata: revision === undefined ? {} : { resourceVersion: String(revision) },
    count: total,
    ...(groups === undefined
      ? {}
      : { groups: groups.map(({ value, count: of }) => ({ value, count: of })), others }),
  };
}

const COUNT_API_VERSION = 'query.cluster.io/v1';
