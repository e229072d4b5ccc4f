import { isObject, type JsonObject } from '../../api/json.ts';
import { MadeStruct } from '../../cel/types/made-struct.ts';
import { toJson } from '../../cel/value/json.ts';
import { CelError, CelList, CelMap, type CelValue } from '../../cel/value/value.ts';

type Made<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

/** The configuration that an expression has made with `Object{…}`, as JSON. */
export function madeObject(value: CelValue): Made<JsonObject> {
  if (!(value instanceof MadeStruct)) return { ok: false, why: 'unexpected evaluation type' };
  const mismatch = typeMismatch(value, value.made.name);
  if (mismatch !== undefined) return { ok: false, why: `type mismatch: ${mismatch}` };
  const json = toJson(value);
  if (json instanceof CelError) return { ok: false, why: json.message };
  return isObject(json)
    ? { ok: true, value: json }
    : { ok: false, why: 'unexpected evaluation type' };
}

/**
 * Each part must be of the type that is named after its place: `Object.spec` in
 * `spec`. Items of lists and values of maps are named as what they are in.
 */
function typeMismatch(value: CelValue, wanted: string): string | undefined {
  if (value instanceof CelList) {
    for (let i = 0; i < value.length; i++) {
      const found = typeMismatch(value.at(i), wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!(value instanceof CelMap)) return undefined;
  const isStruct = value instanceof MadeStruct;
  if (isStruct && value.made.name !== wanted) {
    return `unexpected type name ${JSON.stringify(value.made.name)}, expected ${JSON.stringify(wanted)}, which matches field name path from root Object type`;
  }
  for (const key of value.keys()) {
    const part = value.get(key);
    if (part === undefined) continue;
    const found = typeMismatch(
      part,
      isStruct && typeof key === 'string' ? `${wanted}.${key}` : wanted,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
