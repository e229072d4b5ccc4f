import { at, listAt, textAt, type Json } from '../api/json.ts';
import type { Kind } from '../api/kind.ts';
import { listEach, unreadOf, type Unread } from '../api/lists.ts';

/** An object that another one owns. */
export interface Dependent {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Uids of all its owners. */
  readonly owners: readonly string[];
  readonly finalizers: readonly string[];
  /** It keeps its owner from being deleted in the foreground. */
  readonly isBlocking: boolean;
}

interface Found {
  readonly dependents: readonly Dependent[];
  /** Some kinds have more of them. */
  readonly isMore: boolean;
  readonly unread: Unread;
}

/** Objects that are looked for at most, of each kind. */
const MOST = 200;
/** Owners of one question: the server reads filters of up to 2,048 characters. */
const OWNERS_AT_ONCE = 40;
const FIELDS = 'metadata.ownerReferences,metadata.finalizers';

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
  const found = new Map<string, Dependent>();
  const unread: Unread[] = [];
  let isMore = false;
  for (let i = 0; i < uids.length; i += OWNERS_AT_ONCE) {
    const some = uids.slice(i, i + OWNERS_AT_ONCE);
    const owned = `object.metadata.ownerReferences.exists(o, o.uid in ${JSON.stringify(some)})`;
    const parameters = {
      filter: `has(object.metadata.ownerReferences) && ${owned}`,
      ...{ fields: FIELDS, limit: String(MOST) },
    };
    const answer = await listEach(searched, { namespace, parameters, signal });
    unread.push(answer.unread);
    for (const [kind, list] of answer.lists) {
      isMore ||= textAt(list, 'metadata', 'continue') !== '';
      for (const item of listAt(list, 'items')) {
        const dependent = dependentOf(kind, item, uids);
        // some objects are served as two kinds
        if (!found.has(dependent.uid)) found.set(dependent.uid, dependent);
      }
    }
  }
  return { dependents: [...found.values()], isMore, unread: unreadOf(unread) };
}

function dependentOf(kind: Kind, item: Json, uids: readonly string[]): Dependent {
  const metadata = at(item, 'metadata');
  const owners = listAt(metadata, 'ownerReferences');
  return {
    kind,
    namespace: textAt(metadata, 'namespace'),
    name: textAt(metadata, 'name'),
    uid: textAt(metadata, 'uid'),
    owners: owners.map((owner) => textAt(owner, 'uid')),
    finalizers: listAt(metadata, 'finalizers').map(String),
    isBlocking: owners.some(
      (owner) => uids.includes(textAt(owner, 'uid')) && at(owner, 'blockOwnerDeletion') === true,
    ),
  };
}
