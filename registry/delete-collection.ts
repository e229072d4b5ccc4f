import { ApiError } from '../api/api-error.ts';
import type { Status } from '../api/status.ts';
import type { RequestContext } from './context.ts';
import { deleteObject } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';
import { list } from './list.ts';
import type { ListOptions } from './list-options.ts';
import type { RegistryParts } from './parts.ts';
import type { Target } from './served-resource.ts';

/** Deletions under way at one time. */
const WORKERS = 16;

/**
 * DELETE of a collection: every object that is selected at the beginning, one by
 * one, so that each is admitted, finalized and preconditioned like any other.
 * Objects that vanish meanwhile are fine; the first failure ends it.
 *
 * @throws ApiError
 */
export async function deleteCollection(
  parts: RegistryParts,
  context: RequestContext,
  target: Target,
  options: { list: ListOptions; delete: DeleteOptions },
): Promise<Status> {
  const { chunks } = await list(parts, target, options.list, context.signal);
  for await (const entries of chunks) {
    const queue = entries.values();
    const worker = async (): Promise<void> => {
      for (const { namespace, name } of queue) {
        const one = { ...target, namespace, name };
        await deleteOne(parts, { context, target: one, options: options.delete });
      }
    };
    await Promise.all(Array.from({ length: Math.min(WORKERS, entries.length) }, worker));
  }
  const { group, resource } = target.resource.groupResource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { ...(group === '' ? {} : { group }), kind: resource },
  };
}

async function deleteOne(
  parts: RegistryParts,
  request: Parameters<typeof deleteObject>[1],
): Promise<void> {
  try {
    await deleteObject(parts, request);
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
  }
}
