import { deepClone, type JsonValue, type JsonObject } from '../api/json.ts';
import { cloneSteps } from '../api/json-steps.ts';
import type { ApiObject } from '../api/object.ts';
import { inTurns } from '../api/steps.ts';
import type { Codec, DecodeContext, DecodedObject } from '../resources/codec.ts';
import { encodeServed, encodeStored, servedSteps, storedSteps } from '../storage/stored-bytes.ts';

/** An object with more values than this is written over several turns of the event loop, ... */
const LARGE_VALUES = 2_000;
/** ... and one with more characters or bytes. */
export const LARGE_BYTES = 64 * 1024;
/** What a value and a character of a text cost of the budget: whole numbers, which V8 keeps without memory. */
const VALUE_COST = LARGE_BYTES;
const CHARACTER_COST = LARGE_VALUES;

/**
 * Whether an object is so large that each step of a write takes milliseconds:
 * then there is a turn of the event loop between two of them. Small objects go
 * on at once. Looks at no more than {@link LARGE_VALUES} values.
 */
export function isLarge(object: JsonObject): boolean {
  left = LARGE_VALUES * VALUE_COST;
  return exceeds(object);
}

/** What may still come of an object that is not large. */
let left = 0;

/** Looks at a value, until more than what is left has been seen. No closure: each write asks some times. */
function exceeds(value: JsonValue): boolean {
  left -= VALUE_COST;
  if (typeof value === 'string') left -= value.length * CHARACTER_COST;
  if (left < 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (exceeds(item)) return true;
    return false;
  }
  for (const key in value) if (exceeds(value[key] as JsonValue)) return true;
  return false;
}

/** The stored bytes of an object; those of a large one are made in turns. */
export function storedBytes(large: boolean, object: ApiObject): Buffer | Promise<Buffer> {
  return large ? inTurns(storedSteps(object)) : encodeStored(object);
}

/** The bytes of an object that is not stored; those of a large one are made in turns. */
export function servedBytes(object: ApiObject): Buffer | Promise<Buffer> {
  return isLarge(object) ? inTurns(servedSteps(object)) : encodeServed(object);
}

/** Fills in the defaults of an object, in place; of a large one in turns. @throws ApiError 422, as {@link Codec.applyDefaults} */
export function applyDefaults(
  codec: Codec,
  object: ApiObject,
  keepNulls?: boolean,
): void | Promise<void> {
  const steps = codec.defaultSteps?.(object);
  if (steps === undefined || !isLarge(object)) codec.applyDefaults(object, keepNulls);
  else return inTurns(steps);
}

/** A client's object as the kind reads it; a large one in turns. @throws ApiError 400 */
export function decode(
  large: boolean,
  codec: Codec,
  json: JsonObject,
  context: DecodeContext,
): DecodedObject | Promise<DecodedObject> {
  const steps = large ? codec.decodeSteps?.(json, context) : undefined;
  return steps === undefined ? codec.decode(json, context) : inTurns(steps);
}

/** A copy of an object; that of a large one is made in turns. */
export function copyOf<T extends JsonObject>(large: boolean, object: T): T | Promise<T> {
  return large ? inTurns(cloneSteps(object)) : deepClone(object);
}
