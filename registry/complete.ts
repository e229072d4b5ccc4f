import { ApiError, invalid } from '../api/api-error.ts';
import { fieldError } from '../api/field-error.ts';
import { deepEqual } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { nextTurn } from '../api/turn.ts';
import type { Codec } from '../resources/codec.ts';
import { applyDefaults } from './large-objects.ts';
import { DefaultsTooLarge } from '../schema/default-budget.ts';

const withoutDefaults = new WeakSet<ApiObject>();

interface CompleteOptions {
  /** What the object replaces. */
  readonly live: ApiObject | undefined;
  /** As {@link Codec.applyDefaults} takes it. */
  readonly keepNulls?: boolean;
}

/**
 * Fills in the defaults of a changed object; in place, and of a large one in turns. An object that was stored
 * before its definition got too large defaults stays without them as long as
 * only its metadata changes: its finalizers, labels and owners can be mended.
 *
 * @throws ApiError 422 (also as rejection) when defaults would add too much to new content
 */
export function complete(
  codec: Codec,
  object: ApiObject,
  { live, keepNulls }: CompleteOptions,
): Promise<void> | undefined {
  try {
    const completing = applyDefaults(codec, object, keepNulls) ?? undefined;
    return completing?.catch((error: unknown) => leaveOut(error, object, live));
  } catch (error) {
    leaveOut(error, object, live);
    return undefined;
  }
}

/**
 * The object, once it is complete. With a large one there is a turn of the event loop before and after.
 *
 * @throws ApiError 422 (also as rejection), as {@link complete}
 */
export function completed(
  codec: Codec,
  object: ApiObject,
  live: ApiObject | undefined,
  large: boolean,
): ApiObject | Promise<ApiObject> {
  if (large) return completedInTurns(codec, object, live);
  const completing = complete(codec, object, { live });
  return completing?.then(() => object) ?? object;
}

async function completedInTurns(
  codec: Codec,
  object: ApiObject,
  live: ApiObject | undefined,
): Promise<ApiObject> {
  await nextTurn();
  await complete(codec, object, { live });
  await nextTurn();
  return object;
}

/** @throws `error`, unless the object may stay without its defaults */
function leaveOut(error: unknown, object: ApiObject, live: ApiObject | undefined): void {
  const isTooLarge = error instanceof ApiError && error.cause instanceof DefaultsTooLarge;
  if (!isTooLarge || live === undefined) throw error;
  if (!isSameContent(object, live)) throw withAdvice(error, error.cause as DefaultsTooLarge);
  withoutDefaults.add(object);
}

/** Whether {@link complete} has left an object without its defaults. */
export function isWithoutDefaults(object: ApiObject): boolean {
  return withoutDefaults.has(object);
}

function isSameContent(object: ApiObject, live: ApiObject): boolean {
  return deepEqual({ ...object, metadata: null }, { ...live, metadata: null });
}

/** The client may have changed little: what was stored is too large already. */
function withAdvice({ status }: ApiError, cause: DefaultsTooLarge): ApiError {
  const { group = '', kind = '', name = '' } = status.details ?? {};
  const advice =
    'change only the metadata of this object, send less content, delete it, or make the defaults of its definition smaller';
  return new ApiError(
    invalid({ group, kind }, name, [
      fieldError.forbidden(cause.path, `${cause.message}: ${advice}`),
    ]).status,
    cause,
  );
}
