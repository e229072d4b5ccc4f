import type { ApiObject } from '../api/object.ts';
import {
  namespaceNotFound,
  namespaceTerminating,
} from '../admission/plugins/namespace-lifecycle.ts';
import { StoreError } from '../storage/errors.ts';
import { Entry } from '../watch/entry.ts';
import { isTerminating } from './namespaces.ts';
import type { RegistryParts } from './parts.ts';
import type { CreatePrecondition } from './create-precondition.ts';
import type { WriteRequest } from './write-request.ts';
import { NAMESPACES_PREFIX, RESOURCE_QUOTAS_PREFIX } from './prefixes.ts';

/**
 * The namespace that an object is created in: 404 without it, 403 while it is
 * being deleted. Undefined for what is in none.
 *
 * A new limit of a quota changes the namespace (controllers/quotas/). So who
 * creates at the present revision of the namespace must know what came before it.
 */
export function openNamespace(
  { reader, store }: RegistryParts,
  { target }: WriteRequest,
  object: ApiObject,
): CreatePrecondition | undefined {
  const { namespace, resource } = target;
  if (namespace === '') return undefined;
  const copy = reader.replica.collection(NAMESPACES_PREFIX).items.get(namespace);
  const isOpen = copy !== undefined && !copy.corrupt && !isTerminating(copy);
  return {
    what: `namespace ${namespace}`,
    key: NAMESPACES_PREFIX + namespace,
    known: isOpen ? copy.revision : undefined,
    judge: (item) => {
      const entry = item && Entry.fromStored(namespace, item.value, item.revision);
      if (entry === undefined || entry.corrupt) throw namespaceNotFound(namespace);
      if (!isTerminating(entry)) return entry.revision;
      const name = object.metadata.name ?? '';
      throw namespaceTerminating({ resource: resource.groupResource, namespace, name });
    },
    catchUp: async (revision) => {
      if (reader.replica.revision >= revision) return;
      const prefix = `${RESOURCE_QUOTAS_PREFIX}${namespace}/`;
      const quotas = await store.list({ prefix, limit: 1, keysOnly: true });
      // without any there is nothing to know; one that comes later changes the namespace
      if (quotas.items.length === 0 || (await reader.freshness.catchUp(revision))) return;
      throw new StoreError('timeout', `the namespace ${namespace} was not loaded in time`);
    },
  };
}
