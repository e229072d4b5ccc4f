import {
  namespaceNotFound,
  namespaceTerminating,
} from '../admission/plugins/namespace-lifecycle.ts';
import { conflict } from '../api/api-error.ts';
import type { CreateOutcome, Guard, StoredItem } from '../storage/interface.ts';
import { Entry } from '../watch/entry.ts';
import { isTerminating, NAMESPACES } from './namespaces.ts';
import type { RegistryParts } from './parts.ts';
import { translated } from './store-errors.ts';
import { metadataOf, type WriteRequest } from './write-request.ts';
import type { JsonObject } from '../api/json.ts';

/** A namespace may change while something is created in it; it does not do so for ever. */
const MAX_ATTEMPTS = 20;

export type CreateResult = Exclude<CreateOutcome, { outcome: 'guarded' }>;

/**
 * Creates an object only while its namespace is open. Admission has looked at a
 * replica, which may lag behind the mark of deletion; so the transaction itself
 * is conditional on the revision of the namespace that is judged here, and
 * repeated when the namespace has changed. A namespace that is marked therefore
 * never gets new content, from no server, and once empty stays empty.
 *
 * @throws ApiError 404 without the namespace, 403 while it is being deleted
 */
export async function createWhileOpen(
  parts: RegistryParts,
  request: WriteRequest,
  object: JsonObject,
  create: (guard: Guard | undefined) => Promise<CreateOutcome>,
): Promise<CreateResult> {
  const { namespace } = request.target;
  if (namespace === '') return unguarded(await create(undefined));
  const key = NAMESPACES + namespace;
  let open = await openNamespace(parts, request, object);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const outcome = await create({ key, revision: open.revision });
    if (outcome.outcome !== 'guarded') return outcome;
    open = judged(request, object, entryOf(namespace, outcome.current));
  }
  const why = `namespace ${namespace} keeps changing; please try again`;
  throw conflict(request.target.resource.groupResource, metadataOf(object).name ?? '', why);
}

async function openNamespace(
  { reader, store }: RegistryParts,
  request: WriteRequest,
  object: JsonObject,
): Promise<Entry> {
  const { namespace } = request.target;
  const cached = reader.replica.collection(NAMESPACES).items.get(namespace);
  // nobody is refused by a copy that may be stale
  if (cached !== undefined && !cached.corrupt && !isTerminating(cached)) return cached;
  const { item } = await translated(() => store.get(NAMESPACES + namespace));
  return judged(request, object, entryOf(namespace, item));
}

function judged({ target }: WriteRequest, object: JsonObject, entry: Entry | undefined): Entry {
  const { namespace, resource } = target;
  if (entry === undefined || entry.corrupt) throw namespaceNotFound(namespace);
  if (!isTerminating(entry)) return entry;
  const name = metadataOf(object).name ?? '';
  throw namespaceTerminating({ resource: resource.groupResource, namespace, name });
}

function entryOf(namespace: string, item: StoredItem | undefined): Entry | undefined {
  return item && Entry.fromStored(namespace, item.value, item.revision);
}

function unguarded(outcome: CreateOutcome): CreateResult {
  if (outcome.outcome === 'guarded') throw new Error('the store found a guard that was not set');
  return outcome;
}
