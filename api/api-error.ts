import { fieldErrorBody, type FieldError } from './field-error.ts';
import { groupKindName, groupResourceName, type GroupResource } from './group-version.ts';
import type { Status, StatusCause, StatusDetails, StatusReason } from './status.ts';

/**
 * The one error that reaches clients: a Status, and privately its cause.
 * Everything thrown inside becomes one at a boundary; see {@link ApiError.from}.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: Status;

  constructor(status: Status, cause?: unknown) {
    super(status.message ?? '', cause === undefined ? undefined : { cause });
    this.status = status;
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): StatusReason {
    return this.status.reason ?? '';
  }

  /** Any thrown value as an ApiError; what is not one already becomes a 500 that tells nothing of it. */
  static from(thrown: unknown): ApiError {
    return thrown instanceof ApiError ? thrown : internalError('unexpected failure', thrown);
  }
}

/** A failure Status with its HTTP code; the other constructors of this file are words for it. */
export function apiError(
  code: number,
  reason: StatusReason,
  message: string,
  details?: StatusDetails,
  cause?: unknown,
): ApiError {
  return new ApiError(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    },
    cause,
  );
}

function resourceDetails({ group, resource }: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  };
}

/** 400. `cause` is for the log and is not sent. */
export const badRequest = (message: string, cause?: unknown): ApiError =>
  apiError(400, 'BadRequest', message, undefined, cause);

/** 401, with the one message of every failed authentication: it must not tell why. */
export const unauthorized = (): ApiError => apiError(401, 'Unauthorized', 'Unauthorized');

/** `why` follows the colon: the whole sentence that authorization or admission has to say. */
export const forbidden = (resource: GroupResource, name: string, why: string): ApiError =>
  apiError(
    403,
    'Forbidden',
    resource.resource === ''
      ? `forbidden: ${why}`
      : `${groupResourceName(resource)}${name === '' ? '' : ` ${JSON.stringify(name)}`} is forbidden: ${why}`,
    resource.resource === '' ? {} : resourceDetails(resource, name),
  );

/** 404 for an object of a resource that is served. */
export const notFound = (resource: GroupResource, name: string): ApiError =>
  apiError(
    404,
    'NotFound',
    `${groupResourceName(resource)} ${JSON.stringify(name)} not found`,
    resourceDetails(resource, name),
  );

/** The path names no resource that is served. */
export const unknownResource = (): ApiError =>
  apiError(404, 'NotFound', 'the server could not find the requested resource', {});

/** 405. `verb` is the API's, not the HTTP method. */
export const methodNotAllowed = (resource: GroupResource, verb: string): ApiError =>
  apiError(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind ${JSON.stringify(groupResourceName(resource))}`,
    resourceDetails(resource, ''),
  );

/** 409 for a create. */
export const alreadyExists = (resource: GroupResource, name: string): ApiError =>
  apiError(
    409,
    'AlreadyExists',
    `${groupResourceName(resource)} ${JSON.stringify(name)} already exists`,
    resourceDetails(resource, name),
  );

/** Compares the reason: a 409 is also a conflict. */
export function isAlreadyExists(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'AlreadyExists';
}

/** 409 for a change whose precondition fails. `why` ends the sentence of the message. */
export const conflict = (resource: GroupResource, name: string, why: string): ApiError =>
  apiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${groupResourceName(resource)} ${JSON.stringify(name)}: ${why}`,
    resourceDetails(resource, name),
  );

export const OBJECT_MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/** The requested history has been compacted; clients list again. */
export const expired = (message: string): ApiError => apiError(410, 'Expired', message);

/** 413 for a body beyond its limit. */
export const tooLarge = (message: string, cause?: unknown): ApiError =>
  apiError(413, 'RequestEntityTooLarge', message, undefined, cause);

/** 429. The answer carries the seconds in `Retry-After`, too. */
export const tooManyRequests = (message: string, retryAfterSeconds: number): ApiError =>
  apiError(429, 'TooManyRequests', message, { retryAfterSeconds });

/** 500. `message` is sent; `cause` is for the log only. */
export const internalError = (message: string, cause?: unknown): ApiError =>
  apiError(
    500,
    'InternalError',
    `Internal error occurred: ${message}`,
    { causes: [{ message }] },
    cause,
  );

/** 503: the server, or a part that the request needs, cannot serve now. */
export const serviceUnavailable = (message: string, cause?: unknown): ApiError =>
  apiError(503, 'ServiceUnavailable', message, undefined, cause);

/**
 * 504: the request did not end in time, and may have had an effect. Without seconds the
 * answer has no `Retry-After`.
 */
export const timeout = (message: string, retryAfterSeconds = 0): ApiError =>
  apiError(504, 'Timeout', `Timeout: ${message}`, {
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  });

/** More field errors than these are only counted: an answer must not be longer than its request. */
export const MAX_CAUSES = 500;
/** As {@link MAX_CAUSES}, in characters of the errors with their fields. */
const MAX_CAUSE_CHARACTERS = 128 * 1024;

/** `Lease.coordination.cluster.io "x" is invalid: …` with one cause per field error. */
export function invalid(
  kind: { group: string; kind: string },
  name: string,
  errors: readonly FieldError[],
): ApiError {
  const causes = causesOf(errors);
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  if (errors.length > causes.length) {
    texts.push(`and ${errors.length - causes.length} more errors`);
  }
  return apiError(
    422,
    'Invalid',
    `${groupKindName(kind)} ${JSON.stringify(name)} is invalid: ${
      texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`
    }`,
    {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      ...(kind.kind === '' ? {} : { kind: kind.kind }),
      causes,
    },
  );
}

/** As many of the errors as are shown; the first always is. */
function causesOf(errors: readonly FieldError[]): StatusCause[] {
  const causes: StatusCause[] = [];
  let characters = 0;
  for (const error of errors) {
    const message = fieldErrorBody(error);
    characters += message.length + error.path.length;
    const isTooMuch = causes.length === MAX_CAUSES || characters > MAX_CAUSE_CHARACTERS;
    if (isTooMuch && causes.length > 0) break;
    causes.push({ reason: error.type, message, field: error.path === '' ? '<nil>' : error.path });
  }
  return causes;
}
