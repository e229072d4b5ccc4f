import { MAX_JSON_DEPTH } from '../api/json-parse.ts';
import { hasOwn, isObject, type JsonObject, type JsonValue } from '../api/json.ts';

/**
 * How array indexes in pointers are read. `rfc6902`: digits without leading
 * zeros. `lenient`: what kube-apiserver takes as well, that is leading zeros and
 * negative indexes that count from the end.
 */
export type PointerDialect = 'rfc6902' | 'lenient';

/** A JSON object or array: what the last step of a pointer is looked up in. */
export type Container = JsonObject | JsonValue[];

/** The steps of a JSON pointer (RFC 6901), or undefined when it is none or is deeper than any document. */
export function parsePointer(text: string, dialect: PointerDialect): string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/')) return undefined;
  const steps = text.slice(1).split('/', MAX_JSON_DEPTH + 2);
  if (steps.length > MAX_JSON_DEPTH) return undefined;
  if (!text.includes('~')) return steps;
  if (dialect === 'rfc6902' && /~(?![01])/.test(text)) return undefined;
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The container that the last step is a key of, or undefined when the way there does not exist. */
export function resolveParent(
  document: JsonValue,
  steps: readonly string[],
  dialect: PointerDialect,
): Container | undefined {
  let at: JsonValue | undefined = document;
  for (let i = 0; i < steps.length - 1; i++) {
    at = isContainer(at) ? readStep(at, steps[i] as string, dialect) : undefined;
  }
  return isContainer(at) ? at : undefined;
}

function isContainer(value: JsonValue | undefined): value is Container {
  return isObject(value) || Array.isArray(value);
}

/** The value at one step: own members only, and no index beyond the array. */
export function readStep(
  container: Container,
  step: string,
  dialect: PointerDialect,
): JsonValue | undefined {
  if (!Array.isArray(container)) return hasOwn(container, step) ? container[step] : undefined;
  const index = arrayIndex(step, container.length, dialect);
  return index === undefined ? undefined : container[index];
}

const STRICT_INDEX = /^(0|[1-9]\d{0,9})$/;
const LENIENT_INDEX = /^[-+]?\d{1,15}$/;

/**
 * The index that a step names in an array with `places` places, or undefined.
 * An insertion has one place more than the array has items.
 */
export function arrayIndex(
  step: string,
  places: number,
  dialect: PointerDialect,
): number | undefined {
  if (!(dialect === 'lenient' ? LENIENT_INDEX : STRICT_INDEX).test(step)) return undefined;
  const number = Number(step);
  const index = number < 0 ? number + places : number;
  return index >= 0 && index < places ? index : undefined;
}
