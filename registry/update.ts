import { andThen } from '../api/and-then.ts';
import { badRequest, notFound } from '../api/api-error.ts';
import type { ApiObject } from '../api/object.ts';
import { parseRevision } from '../api/revision.ts';
import { inTurns } from '../api/steps.ts';
import { nextTurn } from '../api/turn.ts';
import { equalButForTimesSteps } from '../patch/apply/entry-times.ts';
import { equalButForTimes } from '../patch/apply/entry-times-at-once.ts';
import type { Entry } from '../watch/entry.ts';
import { admit } from './admit.ts';
import { decodeObject, type Body } from './body.ts';
import { completed } from './complete.ts';
import { createObject } from './create.ts';
import { fitName, fitNamespace } from './fit-path.ts';
import { updateTarget, type Decision } from './guaranteed-update.ts';
import { invalidVersion } from './list-options.ts';
import { refuseLargeMetadata } from './metadata-bounds.ts';
import { refuseLargeSteps } from './object-bounds.ts';
import { dedupOwners } from './owners.ts';
import type { RegistryParts } from './parts.ts';
import { checkUid, checkVersion, uidMismatch } from './preconditions.ts';
import { copyOf, isLarge, LARGE_BYTES, servedBytes, storedBytes } from './large-objects.ts';
import { restoreSystemMetadata } from './system-metadata.ts';
import { strategyOf, updateStrategyOf } from './strategies.ts';
import { validateChanged, warnOf } from './validate.ts';
import { managerOf, type ObjectResult, type WriteRequest } from './write-request.ts';

/** How an update makes the new object and what it may do. */
export interface UpdatePlan {
  /**
   * Makes the new object (decoded, defaulted, its own) from the present one, which
   * may be `large`; called once per attempt.
   */
  readonly produce: (
    current: ApiObject | undefined,
    large: boolean,
  ) => Promise<ApiObject> | ApiObject;
  /** `produce` does not change the present one, which needs no copy then. */
  readonly onlyReads?: boolean;
  /** Creates what does not exist. */
  readonly mayCreate: boolean;
  /** Keeps managedFields itself: apply does. */
  readonly tracksFields?: boolean;
  /**
   * `produce` has had its object admitted, which is another one (a Scale): runs
   * the validating half for it.
   */
  readonly review?: (object: ApiObject, old: ApiObject) => Promise<void> | undefined;
  /** No resourceVersion means whatever is there: where the kind allows it. */
  readonly unconditional: boolean;
  /** The uid that a PUT names: an object that does not exist has another one. */
  readonly givenUid?: string | undefined;
  /** What another uid is: of a PUT a precondition that does not hold, of a patch a change that is not allowed. */
  readonly uid?: 'immutable';
}

/**
 * PUT of an object, or of a subresource that is written as the whole object.
 *
 * @throws ApiError
 */
export async function update(
  parts: RegistryParts,
  request: WriteRequest,
  body: Body,
): Promise<ObjectResult> {
  const { target, options, context, subresource } = request;
  const { resource } = target;
  const decoding = decodeObject(body, resource, options.fieldValidation, context.warnings);
  const given = decoding instanceof Promise ? await decoding : decoding;
  const metadata = given.metadata;
  fitNamespace(metadata, target);
  fitName(metadata, target.name);
  const large = isLarge(given);
  if (large) await nextTurn();
  const { codec } = resource.version;
  const strategy = strategyOf(resource);
  return updateObject(parts, request, {
    produce: (current) => {
      const copying = copyOf(large, given);
      return andThen(copying, (copy) => completed(codec, copy, current, large));
    },
    onlyReads: true,
    mayCreate: strategy.createOnUpdate && subresource === '',
    unconditional: strategy.unconditionalUpdate,
    givenUid: metadata.uid,
  });
}

/** What one attempt of an update has made, for the client. */
type Answer =
  /** The object that is stored now, or still, as `form`. */
  | { readonly is: 'stored'; readonly form: ApiObject }
  | { readonly is: 'created'; readonly result: ObjectResult }
  /** Of a dry run. */
  | { readonly is: 'preview'; readonly object: ApiObject }
  /** The object as it would have been, had it not gone with its last finalizer. */
  | { readonly is: 'removed'; readonly object: ApiObject };

/** The steps that every change of an existing object goes through. */
export async function updateObject(
  parts: RegistryParts,
  request: WriteRequest,
  plan: UpdatePlan,
): Promise<ObjectResult> {
  const { target, context } = request;
  const { resource } = target;
  const decide = async (current: Entry | undefined): Promise<Decision<Answer>> => {
    if (current === undefined) {
      const result = await createMissing(parts, request, plan);
      return { do: 'keep', answer: { is: 'created', result } };
    }
    if (current.bytes.length > LARGE_BYTES) await nextTurn();
    const reading = parts.views.object(resource, current);
    const old = reading instanceof Promise ? await reading : reading;
    const object = await changedObject(parts, request, plan, old, current);
    const removes = isLastFinalizerGone(object, old, strategyOf(resource).holdsBack);
    if (request.options.dryRun) {
      const preview = await parts.views.preview(resource, object);
      return { do: 'keep', answer: { is: 'preview', object: preview } };
    }
    // Watchers see it go as it was before: nothing is written in between.
    if (removes) return { do: 'remove', answer: { is: 'removed', object } };
    const large = isLarge(object);
    if (large) await nextTurn();
    const converting = parts.views.forStorage(resource, object);
    const form = converting instanceof Promise ? await converting : converting;
    const making = storedBytes(large, form);
    const stored = making instanceof Promise ? await making : making;
    if (large) await nextTurn();
    const { ttlSeconds } = resource.definition;
    const kept: Answer = { is: 'stored', form };
    return { do: 'write', stored, object: form, ttlSeconds, answer: kept };
  };

  const { entry, answer } = await updateTarget(parts, target, context, decide);
  if (answer.is === 'created') return answer.result;
  if (answer.is === 'preview') {
    return { bytes: await servedBytes(answer.object), created: false, entry: undefined };
  }
  if (entry === undefined) throw notFound(resource.groupResource, target.name);
  if (answer.is === 'removed') {
    answer.object.metadata.resourceVersion = String(entry.revision);
    return { bytes: await servedBytes(answer.object), created: false, entry: undefined };
  }
  if (entry.bytes.length > LARGE_BYTES) await nextTurn();
  const written = parts.views.written(resource, entry, answer.form);
  const bytes = written instanceof Promise ? await written : written;
  return { bytes, created: false, entry };
}

async function createMissing(
  parts: RegistryParts,
  request: WriteRequest,
  plan: UpdatePlan,
): Promise<ObjectResult> {
  const { target } = request;
  const { groupResource } = target.resource;
  const { givenUid = '' } = plan;
  if (givenUid !== '') throw uidMismatch(request, givenUid, '');
  if (!plan.mayCreate) throw notFound(groupResource, target.name);
  const object = await plan.produce(undefined, false);
  const metadata = object.metadata;
  if ((metadata.uid ?? '') !== '') throw uidMismatch(request, metadata.uid ?? '', '');
  metadata.name = target.name;
  // The version of a deleted object is not a precondition: so kube-apiserver answers.
  const { resourceVersion: version = '' } = metadata;
  if (version !== '' && parseRevision(version) === undefined) {
    throw badRequest(invalidVersion(version));
  }
  delete metadata.resourceVersion;
  // who may change objects may not therefore make new ones (behaviours 5.3)
  await request.context.confirmCreate?.();
  return createObject(parts, request, object, plan.tracksFields === true);
}

async function changedObject(
  parts: RegistryParts,
  request: WriteRequest,
  plan: UpdatePlan,
  old: ApiObject,
  current: Entry,
): Promise<ApiObject> {
  const { target, subresource } = request;
  const { resource } = target;
  const way = updateStrategyOf(request.target.resource, subresource);
  const wasLarge = current.bytes.length > LARGE_BYTES;
  if (wasLarge) await nextTurn();
  // a copy takes 2 % of a patch
  const copying = plan.onlyReads === true ? old : copyOf(wasLarge, old);
  const shown = copying instanceof Promise ? await copying : copying;
  if (wasLarge) await nextTurn();
  const producing = plan.produce(shown, wasLarge);
  let object = producing instanceof Promise ? await producing : producing;
  refuseLargeMetadata(resource, object.metadata, old.metadata);
  const large = wasLarge || isLarge(object);
  if (large) {
    await nextTurn();
    const { dryRun } = request.options;
    await inTurns(refuseLargeSteps(parts, resource, object, old, dryRun));
    await nextTurn();
  }
  if (plan.uid !== 'immutable') checkUid(request, object.metadata, old.metadata);
  checkVersion(request, plan.unconditional, object.metadata, current);
  if (plan.tracksFields !== true) {
    const tracking = parts.fields.onWrite(object, {
      resource,
      subresource,
      live: old,
      manager: managerOf(request),
      large,
      now: parts.clock.now(),
    });
    if (tracking !== undefined) await tracking;
  }
  if (large) await nextTurn();
  dedupOwners(object, request, false);
  if (plan.review === undefined) {
    const admitting = admitted(parts, request, object, old, current);
    object = admitting instanceof Promise ? await admitting : admitting;
    refuseLargeMetadata(resource, object.metadata, old.metadata);
    if (large) await nextTurn();
  }
  dedupOwners(object, request, true);
  restoreSystemMetadata(object.metadata, old.metadata);
  if (large) await nextTurn();
  way.prepareForUpdate?.(object, old, { now: parts.clock.now() });
  if (large ? await inTurns(equalButForTimesSteps(old, object)) : equalButForTimes(old, object)) {
    keepFieldTimes(object, old);
  }
  if (large) await nextTurn();
  const judging = validateChanged(parts, request, way, object, old, large);
  if (judging !== undefined) await judging;
  if (large) await nextTurn();
  const warning = warnOf(parts, request, object, old);
  if (warning !== undefined) await warning;
  if (large) await nextTurn();
  const reviewing =
    plan.review === undefined
      ? admit.validate(parts, request, 'UPDATE', object, old)
      : plan.review(object, old);
  if (reviewing !== undefined) await reviewing;
  return object;
}

/** What admission made of the object must still fit the request. */
function admitted(
  parts: RegistryParts,
  request: WriteRequest,
  object: ApiObject,
  old: ApiObject,
  current: Entry,
): ApiObject | Promise<ApiObject> {
  const { resourceVersion } = object.metadata;
  const check = (changed: ApiObject): ApiObject => {
    const metadata = changed.metadata;
    fitNamespace(metadata, request.target);
    if (metadata.resourceVersion !== resourceVersion) {
      const unconditional = strategyOf(request.target.resource).unconditionalUpdate;
      checkVersion(request, unconditional, metadata, current);
    }
    return changed;
  };
  const admitting = admit.mutate(parts, request, 'UPDATE', object, old);
  return andThen(admitting, check);
}

/** A write that changes nothing but the times in managedFields changes nothing (behaviours 5.4). */
function keepFieldTimes(object: ApiObject, old: ApiObject): void {
  const { managedFields } = old.metadata;
  if (managedFields === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = managedFields;
}

/** The object was only waiting for its finalizers, and now has none (behaviours 3.9). */
function isLastFinalizerGone(
  object: ApiObject,
  old: ApiObject,
  holdsBack: ((object: ApiObject) => boolean) | undefined,
): boolean {
  const { finalizers = [], deletionGracePeriodSeconds } = object.metadata;
  const { deletionTimestamp } = old.metadata;
  return (
    deletionTimestamp !== undefined &&
    finalizers.length === 0 &&
    (deletionGracePeriodSeconds ?? 0) === 0 &&
    holdsBack?.(object) !== true
  );
}
