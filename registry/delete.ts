import { apiError, conflict, notFound, type ApiError } from '../api/api-error.ts';
import { groupKindName } from '../api/group-version.ts';
import { SUPERUSERS } from '../api/user.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../api/naming.ts';
import type { ApiObject } from '../api/object.ts';
import type { Status } from '../api/status.ts';
import { formatTime } from '../api/time.ts';
import { nextTurn } from '../api/turn.ts';
import { encodeServed } from '../storage/stored-bytes.ts';
import type { Entry } from '../watch/entry.ts';
import { admit } from './admit.ts';
import type { RequestContext } from './context.ts';
import { deleteOptionsObject, type DeleteOptions } from './delete-options.ts';
import { updateTarget, type Decision } from './guaranteed-update.ts';
import type { RegistryParts } from './parts.ts';
import type { Target } from './served-resource.ts';
import { LARGE_BYTES, servedBytes, storedBytes } from './large-objects.ts';
import { strategyOf } from './strategies.ts';
import { DEFAULT_WRITE_OPTIONS } from './write-options.ts';
import type { WriteRequest } from './write-request.ts';

export interface DeleteRequest {
  readonly context: RequestContext;
  readonly target: Target;
  readonly options: DeleteOptions;
  /** One of those that go with their collection. */
  readonly ofCollection?: boolean;
}

export interface DeleteResult {
  /** The object is gone; false: it is marked and waits for its finalizers. */
  readonly gone: boolean;
  /** What DELETE answers. */
  readonly status: Status;
  /**
   * The object as it was last, or is now, in the version that was asked for. Made when it is asked
   * for: with defaults it can be far larger than what is stored.
   */
  readonly object: () => Buffer | Promise<Buffer>;
  /** The same, of which only the metadata is right: without defaults. */
  readonly metadata: () => Buffer | Promise<Buffer>;
  /** 202 instead of 200: it will go, and the client asked not to be told otherwise. */
  readonly accepted: boolean;
}

/** What one attempt of a deletion has made, for the client. */
interface Answer {
  readonly shown: ApiObject;
  /** False: it is marked and stays until its finalizers have gone. */
  readonly isGone: boolean;
  /** The answer is what the store holds, or held last; otherwise it is `shown`. */
  readonly isShownAsStored: boolean;
}

/**
 * DELETE of one object: gone at once, or marked when finalizers hold it back
 * (behaviours 3.9 to 3.12).
 *
 * @throws ApiError
 */
export async function deleteObject(
  parts: RegistryParts,
  request: DeleteRequest,
): Promise<DeleteResult> {
  const { target, options, context } = request;
  const { resource } = target;
  const moment = { now: parts.clock.now() };
  const { ttlSeconds } = resource.definition;

  const decide = async (current: Entry | undefined): Promise<Decision<Answer>> => {
    if (current === undefined) throw notFound(resource.groupResource, target.name);
    if (current.corrupt && mayRemoveUnread(request)) {
      const answer = { shown: unreadForm(target), isGone: true, isShownAsStored: false };
      return { do: options.dryRun ? 'keep' : 'remove', answer };
    }
    const large = current.bytes.length > LARGE_BYTES;
    // also before it is read: several of a collection are deleted at a time
    if (large) await nextTurn();
    const object = await parts.views.object(resource, current);
    if (large) await nextTurn();
    checkPreconditions(request, object);
    await admitDeletion(parts, request, object);
    const marked = markedForDeletion(request, object, moment.now);
    const isGone = marked === undefined;
    const answer = { shown: marked ?? object, isGone, isShownAsStored: !options.dryRun };
    if (options.dryRun) return { do: 'keep', answer };
    if (isGone) return { do: 'remove', answer };
    const form = await parts.views.forStorage(resource, marked);
    const stored = await storedBytes(large, form);
    return { do: 'write', stored, object: form, ttlSeconds, answer };
  };

  const { entry, answer } = await updateTarget(parts, target, context, decide);
  const { shown, isGone, isShownAsStored } = answer;
  const stored = isShownAsStored ? entry : undefined;
  return {
    gone: isGone,
    status: deletedStatus(target, shown.metadata.uid, isGone ? undefined : entry),
    object: () =>
      stored === undefined ? servedBytes(shown) : parts.views.bytesInTurns(resource, stored),
    metadata: () =>
      stored === undefined
        ? encodeServed({ apiVersion: shown.apiVersion, kind: shown.kind, metadata: shown.metadata })
        : parts.views.metadataBytes(resource, stored),
    accepted: !isGone && options.orphanDependents === false,
  };
}

/**
 * An object that cannot be read can only be removed unseen: without admission,
 * preconditions and finalizers. The client has to say so, and to be one who may
 * do everything (behaviours 10.8).
 */
function mayRemoveUnread({ options, context }: DeleteRequest): boolean {
  return options.ignoreReadError && context.user.groups.includes(SUPERUSERS);
}

/** All that is known of it. */
function unreadForm({ resource, namespace, name }: Target): ApiObject {
  const metadata = namespace === '' ? { name } : { name, namespace };
  return { apiVersion: resource.apiVersion, kind: resource.kind.kind, metadata };
}

/**
 * What DELETE answers; `details.uid` is what `kubectl delete --wait` waits by. Of an
 * object that is `marked` only, the resourceVersion tells where it can be watched
 * and changed from.
 */
function deletedStatus(
  { resource, name }: Target,
  uid: string | undefined,
  marked: Entry | undefined,
): Status {
  const { group, resource: plural } = resource.groupResource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: marked === undefined ? {} : { resourceVersion: String(marked.revision) },
    status: 'Success',
    details: {
      name,
      ...(group === '' ? {} : { group }),
      kind: plural,
      ...(uid === undefined ? {} : { uid }),
    },
  };
}

function checkPreconditions({ target, options }: DeleteRequest, object: ApiObject): void {
  const { uid, resourceVersion } = options.preconditions;
  const metadata = object.metadata;
  if (uid !== undefined && uid !== metadata.uid) {
    throw preconditionFailed(
      target,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw preconditionFailed(
      target,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`,
    );
  }
}

/** Unlike other conflicts this one names the kind, except for kinds with a way of their own: so kube-apiserver answers. */
function preconditionFailed({ resource, name }: Target, why: string): ApiError {
  const { holdsBack, beginDeletion } = strategyOf(resource);
  if (holdsBack !== undefined || beginDeletion !== undefined) {
    return conflict(resource.groupResource, name, why);
  }
  const { group, kind } = resource.kind;
  return apiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${groupKindName(resource.kind)} ${JSON.stringify(name)}: ${why}`,
    { name, ...(group === '' ? {} : { group }), kind },
  );
}

async function admitDeletion(
  parts: RegistryParts,
  { context, target, options, ofCollection }: DeleteRequest,
  object: ApiObject,
): Promise<void> {
  const request: WriteRequest = {
    context,
    target,
    subresource: '',
    options: { ...DEFAULT_WRITE_OPTIONS, dryRun: options.dryRun },
    ...(ofCollection === true ? { pathName: '' } : {}),
    optionsObject: deleteOptionsObject(options),
  };
  await admit.delete(parts, request, object);
}

/** The object with the mark and the finalizers that it waits for; undefined when nothing holds it back. */
function markedForDeletion(
  { target, options }: DeleteRequest,
  object: ApiObject,
  now: number,
): ApiObject | undefined {
  const strategy = strategyOf(target.resource);
  const metadata = { ...object.metadata };
  const marked = { ...object, metadata };
  const isFirst = metadata.deletionTimestamp === undefined;
  // another controller ends its deletion: a second request does not change that
  if (!isFirst && strategy.holdsBack?.(marked) === true) return object;
  const finalizers = finalizersFor(metadata.finalizers ?? [], options, strategy.garbageCollected);
  if (isFirst && strategy.beginDeletion !== undefined) {
    metadata.deletionTimestamp = formatTime(now);
    strategy.beginDeletion(marked, { now, finalizers });
    return marked;
  }
  if (finalizers.length === 0) return undefined;
  metadata.finalizers = finalizers;
  metadata.deletionGracePeriodSeconds = 0;
  if (isFirst) {
    metadata.deletionTimestamp = formatTime(now);
    if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
  }
  return marked;
}

/**
 * The finalizers that the propagation policy leaves or adds, others kept (behaviours
 * 3.10); in the order that they have where it asks for nothing new.
 */
function finalizersFor(
  present: readonly string[],
  options: DeleteOptions,
  garbageCollected = true,
): string[] {
  const policy =
    options.orphanDependents === undefined
      ? options.propagationPolicy
      : options.orphanDependents
        ? 'Orphan'
        : 'Background';
  if (policy === undefined || !garbageCollected) return [...present];
  const others = present.filter((f) => f !== FOREGROUND_FINALIZER && f !== ORPHAN_FINALIZER);
  const own = { Foreground: FOREGROUND_FINALIZER, Orphan: ORPHAN_FINALIZER, Background: undefined };
  const wanted = own[policy] === undefined ? others : [...others, own[policy]];
  const isSame =
    present.every((name) => wanted.includes(name)) &&
    wanted.every((name) => present.includes(name));
  return isSame ? [...present] : wanted;
}
