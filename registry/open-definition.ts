import { forbidden, unknownResource, type ApiError } from '../api/api-error.ts';
import type { Revision } from '../api/revision.ts';
import { Entry } from '../watch/entry.ts';
import { crdSummary } from './crd-summary.ts';
import type { RegistryParts } from './parts.ts';
import type { CreatePrecondition } from './create-precondition.ts';
import type { ServedResource, Target } from './served-resource.ts';
import type { WriteRequest } from './write-request.ts';
import { CRD_PREFIX } from './prefixes.ts';

/**
 * By copies that lag behind: the newest revision at which the store has shown
 * the same definition open. One create finds out that a definition was changed;
 * those that follow it need not, until the replica has caught up.
 */
const newer = new WeakMap<Entry, Revision>();

/**
 * The definition that a custom object is created by: 404 without it, or when
 * another one has taken its place; 403 while it is being removed. Undefined for
 * built-in kinds.
 */
export function openDefinition(
  { reader }: RegistryParts,
  { target }: WriteRequest,
): CreatePrecondition | undefined {
  const { custom } = target.resource.definition;
  if (custom === undefined) return undefined;
  const { name, uid } = custom;
  const entry = reader.replica.collection(CRD_PREFIX).items.get(name);
  const summary = entry && crdSummary(entry);
  const copy = summary?.uid === uid && !summary.terminating ? entry : undefined;
  let generation = summary?.generation;
  return {
    what: `the definition ${name}`,
    key: CRD_PREFIX + name,
    known: copy && (newer.get(copy) ?? copy.revision),
    judge: (item) => {
      const stored = item && crdSummary(Entry.fromStored(name, item.value, item.revision));
      if (stored?.uid !== uid) throw unknownResource();
      if (stored.terminating) throw terminating(target);
      generation = stored.generation;
      if (copy !== undefined && generation === summary?.generation) {
        newer.set(copy, stored.revision);
      }
      return stored.revision;
    },
    catchUp: async (revision) => {
      if (copy !== undefined && generation === summary?.generation) return;
      await reader.get(CRD_PREFIX, name, { at: 'notOlderThan', revision });
    },
  };
}

/**
 * The resource by the definition that this server knows now.
 *
 * @throws ApiError 404 when its version is not served any more
 */
export function resourceNow({ catalog }: RegistryParts, { resource }: Target): ServedResource {
  if (resource.definition.custom === undefined) return resource;
  const now = catalog.current(resource);
  if (now === undefined) throw unknownResource();
  return now;
}

/** Nothing new comes into a resource whose definition is being removed (behaviours 7.8). @throws ApiError 403 */
export function refuseWhileTerminating(target: Target): void {
  if (target.resource.definition.custom?.terminating === true) throw terminating(target);
}

function terminating({ resource, name }: Target): ApiError {
  const why = 'create not allowed while custom resource definition is terminating';
  return forbidden(resource.groupResource, name, why);
}
