import { ApiError } from '../api/api-error.ts';
import { inParallel } from '../api/in-parallel.ts';
import { Turn } from '../api/turn.ts';
import type { Revision } from '../api/revision.ts';
import type { Status, StatusCause } from '../api/status.ts';
import type { RequestContext } from './context.ts';
import { deleteObject, type DeleteRequest, type DeleteResult } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';
import { list } from './list.ts';
import type { ListOptions } from './list-options.ts';
import type { RegistryParts } from './parts.ts';
import type { Target } from './served-resource.ts';

/** Deletions under way at one time. */
const WORKERS = 16;

/**
 * Objects that the answer names with their uids, so that a client can wait for
 * exactly these. Of more it tells the first ones.
 */
const MAX_TOLD = 500;

interface DeleteCollectionOptions {
  readonly list: ListOptions;
  /** The collection by the names that the client knows; by default the target itself. */
  readonly listed?: Target;
  readonly delete: DeleteOptions;
  /** The client wants to see the metadata of what was deleted. */
  readonly keepsObjects?: boolean;
}

/** What is kept of one deletion: as little as possible, since a chunk has many. */
interface Deleted {
  readonly cause: StatusCause;
  readonly metadata: Buffer | undefined;
}

/** What was deleted, for clients that ask to see it. */
export interface DeletedObjects {
  /** Of the list that told what to delete. */
  readonly revision: Revision;
  readonly continueToken: string;
  /** As they were last, or are now, where finalizers hold them back; only their metadata is right. */
  readonly objects: readonly Buffer[];
}

interface DeleteCollectionResult {
  readonly status: Status;
  /** Undefined when the client did not ask for it. */
  readonly deleted: DeletedObjects | undefined;
}

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
  options: DeleteCollectionOptions,
): Promise<DeleteCollectionResult> {
  const { chunks, continueToken, revision } = await list(
    parts,
    options.listed ?? target,
    options.list,
    context,
  );
  const told: StatusCause[] = [];
  const objects: Buffer[] = [];
  const turn = new Turn(parts.clock, 1);
  for await (const entries of chunks) {
    const results = new Array<Deleted | undefined>(entries.length);
    await inParallel(entries.entries(), WORKERS, async ([i, { key, namespace, name }]) => {
      const result = await deleteOne(parts, {
        context,
        target: { ...target, namespace, name },
        options: options.delete,
        ofCollection: true,
      });
      if (result !== undefined) {
        const metadata = options.keepsObjects === true ? await result.metadata() : undefined;
        results[i] = { cause: causeOf(key, result), metadata };
      }
      // A deletion that writes nothing waits for nothing.
      if (turn.over()) await turn.next();
    });
    for (const result of results) {
      if (result === undefined) continue;
      if (told.length < MAX_TOLD) told.push(result.cause);
      if (result.metadata !== undefined) objects.push(result.metadata);
    }
  }
  return {
    status: statusOf(target, continueToken, told),
    deleted: options.keepsObjects === true ? { revision, continueToken, objects } : undefined,
  };
}

function causeOf(key: string, { gone, status }: DeleteResult): StatusCause {
  return {
    reason: gone ? 'Deleted' : 'WaitsForFinalizers',
    message: `uid ${status.details?.uid ?? ''}`,
    field: key,
  };
}

function statusOf({ resource }: Target, continueToken: string, causes: StatusCause[]): Status {
  const { group, resource: plural } = resource.groupResource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    // with a limit there may be more to delete
    metadata: continueToken === '' ? {} : { continue: continueToken },
    status: 'Success',
    details: {
      ...(group === '' ? {} : { group }),
      kind: plural,
      ...(causes.length === 0 ? {} : { causes }),
    },
  };
}

async function deleteOne(
  parts: RegistryParts,
  request: DeleteRequest,
): Promise<DeleteResult | undefined> {
  try {
    return await deleteObject(parts, request);
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}
