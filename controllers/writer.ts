import { ApiError, isAlreadyExists } from '../api/api-error.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { Revision } from '../api/revision.ts';
import { SYSTEM_USER } from '../api/user.ts';
import { Warnings } from '../api/warnings.ts';
import type { RequestContext } from '../registry/context.ts';
import { create } from '../registry/create.ts';
import { deleteObject } from '../registry/delete.ts';
import { DEFAULT_DELETE_OPTIONS, type PropagationPolicy } from '../registry/delete-options.ts';
import type { RegistryParts } from '../registry/parts.ts';
import type { ServedResource, Target } from '../registry/served-resource.ts';
import { updateObject } from '../registry/update.ts';
import { DEFAULT_WRITE_OPTIONS } from '../registry/write-options.ts';
import type { Entry } from '../watch/entry.ts';

/** The object, and the state of it, that a loop has looked at and decided by. */
export interface Seen {
  readonly uid: string;
  readonly revision: Revision;
}

export type WriteOutcome =
  /** `entry`: the object after the write; undefined when it went with it. */
  | { readonly outcome: 'done'; readonly entry: Entry | undefined }
  /** The object has changed since the caller saw it, or another object has its name. */
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'gone' };

/** @throws JsonSyntaxError when the entry is corrupt */
export function seenOf(entry: Entry): Seen {
  const { uid = '' } = entry.metadata();
  return { uid, revision: entry.revision };
}

const MANAGER = 'plinth';

/**
 * How loops write: as the system, through the same verbs as clients, and
 * never without saying which state of which object they have seen. What others
 * have done meanwhile is a value, since the loop will look again; everything
 * else throws.
 */
export class LoopWriter {
  readonly #parts: RegistryParts;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
  }

  /** Changes an object, or one of its subresources, if it still is what was seen. */
  change(
    target: Target,
    seen: Seen,
    edit: (object: ApiObject) => void,
    { subresource = '', signal }: { subresource?: string; signal?: AbortSignal } = {},
  ): Promise<WriteOutcome> {
    const request = {
      context: systemContext(signal),
      target,
      subresource,
      options: DEFAULT_WRITE_OPTIONS,
    };
    const produce = (current: ApiObject | undefined): ApiObject => {
      if (current === undefined) throw new Error('loops create nothing by changing it');
      edit(current);
      current.metadata.uid = seen.uid;
      current.metadata.resourceVersion = String(seen.revision);
      return current;
    };
    return outcomeOf(async () => {
      const plan = { produce, mayCreate: false, unconditional: false };
      return (await updateObject(this.#parts, request, plan)).entry;
    });
  }

  /** Deletes an object if it still is what was seen. */
  remove(
    target: Target,
    seen: Seen,
    { propagation, signal }: { propagation?: PropagationPolicy; signal?: AbortSignal } = {},
  ): Promise<WriteOutcome> {
    return outcomeOf(async () => {
      await deleteObject(this.#parts, {
        context: systemContext(signal),
        target,
        options: {
          ...DEFAULT_DELETE_OPTIONS,
          propagationPolicy: propagation,
          preconditions: { uid: seen.uid, resourceVersion: String(seen.revision) },
        },
      });
      return undefined;
    });
  }

  /** Removes an unreadable object if it is unchanged; false when it has changed. */
  async discard(
    { prefix }: ServedResource,
    { key, revision }: Entry,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { outcome } = await this.#parts.store.delete(prefix + key, revision, { signal });
    return outcome !== 'conflict';
  }

  /** The entry of the new object; undefined when one of its name exists. */
  async create(
    resource: ServedResource,
    value: JsonObject & { metadata: JsonObject },
    signal?: AbortSignal,
  ): Promise<Entry | undefined> {
    const { namespace } = value.metadata;
    const request = {
      context: systemContext(signal),
      target: { resource, namespace: typeof namespace === 'string' ? namespace : '', name: '' },
      subresource: '',
      options: DEFAULT_WRITE_OPTIONS,
    };
    const { apiVersion, kind } = resource;
    const body = { value: { apiVersion, kind: kind.kind, ...value }, duplicates: [] };
    try {
      return (await create(this.#parts, request, body)).entry;
    } catch (error) {
      if (isAlreadyExists(error)) return undefined;
      throw error;
    }
  }
}

function systemContext(signal: AbortSignal | undefined): RequestContext {
  return {
    user: SYSTEM_USER,
    warnings: new Warnings(),
    audit: new Map(),
    signal,
    defaultManager: MANAGER,
  };
}

async function outcomeOf(write: () => Promise<Entry | undefined>): Promise<WriteOutcome> {
  try {
    return { outcome: 'done', entry: await write() };
  } catch (error) {
    switch (reasonOf(error)) {
      case 'Conflict':
        return { outcome: 'stale' };
      case 'NotFound':
        return { outcome: 'gone' };
      default:
        throw error;
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof ApiError ? error.reason : '';
}
