import { andThen } from '../api/and-then.ts';
import type { ApiObject } from '../api/object.ts';
import { nextTurn } from '../api/turn.ts';
import type { CreateOptions, CreateOutcome } from '../storage/interface.ts';
import { relativeKey } from '../storage/keys.ts';
import type { OwnWrite } from '../watch/own-writes.ts';
import { cancelSignalOf } from './context.ts';
import { createPreview, createWhileOpen, type OpenOutcome } from './create-while-open.ts';
import { resourceNow } from './open-definition.ts';
import type { RegistryParts } from './parts.ts';
import { prepared } from './prepared.ts';
import { storedBytes } from './large-objects.ts';
import type { ServedResource, Target } from './served-resource.ts';
import { validateNew } from './validate.ts';
import { withinQuotas, type QuotaOutcome } from './within-quotas.ts';
import type { WriteRequest } from './write-request.ts';

type Conditions = Required<Pick<CreateOptions, 'guards' | 'updates'>>;

/** An object, judged by the definition of `resource`. */
type Candidate = { readonly resource: ServedResource } & (
  | {
      /** What the store gets of it. */
      readonly form: ApiObject;
      readonly stored: Buffer;
    }
  /** Of a dry run. */
  | { readonly form?: undefined }
);

/** With what the store was asked; `own` is the write, undefined of a dry run. */
interface Tried {
  readonly candidate: Candidate;
  readonly own: OwnWrite | undefined;
}

/**
 * Stores a new object that has been judged, while what it is created under is
 * open and within the quotas that count it. A definition that has changed since
 * is asked again. A dry run learns what the store would answer.
 *
 * @throws ApiError (also as rejection)
 */
export function storeNew(
  parts: RegistryParts,
  request: WriteRequest,
  object: ApiObject,
  large: boolean,
): Promise<OpenOutcome & Tried> {
  const making = candidateOf(parts, request, request.target.resource, object, large);
  if (!large && !(making instanceof Promise)) return stored(parts, request, object, making, large);
  return Promise.resolve(making)
    .then((first) => nextTurn().then(() => first))
    .then((first) => stored(parts, request, object, first, large));
}

function stored(
  parts: RegistryParts,
  request: WriteRequest,
  object: ApiObject,
  first: Candidate,
  large: boolean,
): Promise<OpenOutcome & Tried> {
  return createWhileOpen(parts, request, object, (guards, before: Tried | undefined) => {
    const write = (candidate: Candidate): Promise<QuotaOutcome & Tried> =>
      withinQuotas(parts, request, object, (updates) =>
        attempt(parts, request, object, candidate, { guards, updates }),
      );
    const candidate = fitted(parts, request, object, before?.candidate ?? first, large);
    return andThen(candidate, write);
  });
}

function candidateOf(
  parts: RegistryParts,
  { options }: WriteRequest,
  resource: ServedResource,
  object: ApiObject,
  large: boolean,
): Candidate | Promise<Candidate> {
  if (options.dryRun) return { resource };
  const form = parts.views.forStorage(resource, object);
  return andThen(form, (converted) => storedForm(resource, converted, large));
}

function storedForm(
  resource: ServedResource,
  form: ApiObject,
  large: boolean,
): Candidate | Promise<Candidate> {
  const bytes = storedBytes(large, form);
  return andThen(bytes, (stored) => ({ resource, form, stored }));
}

/** Where it stands below the prefix of its resource. */
export function keyOf({ namespace }: Target, { metadata }: ApiObject): string {
  return relativeKey(namespace, metadata.name ?? '');
}

/** The candidate by the present definition: judged again when that has changed. @throws ApiError */
function fitted(
  parts: RegistryParts,
  request: WriteRequest,
  object: ApiObject,
  candidate: Candidate,
  large: boolean,
): Candidate | Promise<Candidate> {
  const resource = resourceNow(parts, request.target);
  return resource.version === candidate.resource.version
    ? candidate
    : judgedAgain(parts, request, object, resource, large);
}

async function judgedAgain(
  parts: RegistryParts,
  request: WriteRequest,
  object: ApiObject,
  resource: ServedResource,
  large: boolean,
): Promise<Candidate> {
  const { target } = request;
  await prepared(resource, 'create', parts.clock);
  resource.version.codec.applyDefaults(object);
  await validateNew(parts, { ...request, target: { ...target, resource } }, object, large);
  return candidateOf(parts, request, resource, object, large);
}

function attempt(
  { store, reader }: RegistryParts,
  { target, context }: WriteRequest,
  object: ApiObject,
  candidate: Candidate,
  { guards, updates }: Conditions,
): Promise<CreateOutcome & Tried> {
  const { definition, prefix } = target.resource;
  const key = keyOf(target, object);
  if (candidate.form === undefined) {
    return createPreview(store, prefix + key, guards).then((outcome) => ({
      ...{ candidate, own: undefined },
      ...outcome,
    }));
  }
  const { stored, form } = candidate;
  const signal = cancelSignalOf(context);
  const how = {
    ttlSeconds: definition.ttlSeconds,
    signal,
    caller: context.user.name,
    guards,
    updates,
    // the uid is of this write
    unique: true,
  };
  const own = reader.replica.collection(prefix).ownWrite(key, stored, form);
  return own
    .answered(store.create(prefix + key, stored, how))
    .then((outcome) => ({ candidate, own, ...outcome }));
}
