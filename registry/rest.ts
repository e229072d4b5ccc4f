import type { JsonObject, JsonValue } from '../api/json.ts';
import { nextTurn } from '../api/turn.ts';

/** An object with more values than this is written over several turns of the event loop. */
const LARGE = 2_000;

const NOW = Promise.resolve();

/**
 * A pause between two steps of a write, for objects so large that each step
 * takes milliseconds. Small objects go on at once.
 */
export type Rest = () => Promise<void>;

export function restFor(object: JsonObject): Rest {
  return isLarge(object) ? nextTurn : () => NOW;
}

/** Looks at no more than {@link LARGE} values. */
function isLarge(object: JsonObject): boolean {
  let left = LARGE;
  const walk = (value: JsonValue): boolean => {
    if (--left < 0) return true;
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) return value.some(walk);
    for (const key in value) if (walk(value[key] as JsonValue)) return true;
    return false;
  };
  return walk(object);
}
