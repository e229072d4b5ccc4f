import { getJson, Refused } from '../api/http.ts';
import { at, listAt, textAt, type Json } from '../api/json.ts';
import { resourceName, type Kind } from '../api/kind.ts';

/** An object that another one owns. */
export interface Dependent {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** It keeps its owner from being deleted in the foreground. */
  readonly isBlocking: boolean;
}

interface Found {
  readonly dependents: readonly Dependent[];
  /** Kinds that the user may not list. */
  readonly unread: readonly string[];
}

const SNAPSHOT = '/apis/query.cluster.io/v1/snapshot';
/** Kinds of one request: the server answers up to 100. */
const KINDS_AT_ONCE = 90;
/** Objects that are looked for at most, of each kind. */
const MOST = 200;

/**
 * The objects that name one of these uids as their owner, of the kinds given. The
 * server selects them by an expression, so little travels.
 *
 * @param namespace where to look; empty: everywhere
 * @throws Refused, Unreachable
 */
export async function dependentsOf(
  uids: readonly string[],
  kinds: readonly Kind[],
  namespace: string,
  signal?: AbortSignal,
): Promise<Found> {
  const searched = kinds.filter(
    ({ verbs, namespaced }) =>
      verbs.has('list') && verbs.has('create') && (namespace === '' || namespaced),
  );
  const dependents: Dependent[] = [];
  const unread: string[] = [];
  for (let i = 0; i < searched.length; i += KINDS_AT_ONCE) {
    const some = searched.slice(i, i + KINDS_AT_ONCE);
    await addDependents({ uids, namespace, signal, dependents, unread }, some);
  }
  return { dependents, unread };
}

interface Search {
  readonly uids: readonly string[];
  readonly namespace: string;
  readonly signal: AbortSignal | undefined;
  readonly dependents: Dependent[];
  readonly unread: string[];
}

async function addDependents(search: Search, kinds: readonly Kind[]): Promise<void> {
  const { uids, namespace, signal, dependents, unread } = search;
  const owned = `object.metadata.ownerReferences.exists(o, o.uid in ${JSON.stringify(uids)})`;
  const parameters = new URLSearchParams({
    ...{ filter: `has(object.metadata.ownerReferences) && ${owned}`, limit: String(MOST) },
  });
  const query = new URLSearchParams();
  const idOf = (kind: Kind): string =>
    `${resourceName(kind)}${namespace === '' || !kind.namespaced ? '' : `/${namespace}`}`;
  for (const kind of kinds) query.append('resources', `${idOf(kind)}?${parameters.toString()}`);
  try {
    const snapshot = await getJson(`${SNAPSHOT}?${query.toString()}`, signal && { signal });
    for (const [i, kind] of kinds.entries()) {
      const items = listAt(snapshot, 'lists', i, 'list', 'items');
      for (const item of items) dependents.push(dependentOf(kind, item, uids));
    }
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 403) throw error;
    // The refusal names every list that the user may not see: the others are asked again.
    const refused = new Set(error.causes.map(({ field }) => field));
    const rest = kinds.filter((kind) => !refused.has(idOf(kind)));
    for (const kind of kinds) if (refused.has(idOf(kind))) unread.push(kind.kind);
    if (rest.length > 0 && rest.length < kinds.length) await addDependents(search, rest);
  }
}

function dependentOf(kind: Kind, item: Json, uids: readonly string[]): Dependent {
  const metadata = at(item, 'metadata');
  return {
    kind,
    namespace: textAt(metadata, 'namespace'),
    name: textAt(metadata, 'name'),
    uid: textAt(metadata, 'uid'),
    isBlocking: listAt(metadata, 'ownerReferences').some(
      (owner) => uids.includes(textAt(owner, 'uid')) && at(owner, 'blockOwnerDeletion') === true,
    ),
  };
}
