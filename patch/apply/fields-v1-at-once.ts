// Made from fields-v1.ts by `npm run generate:twins`: the same without rests.
import { canonicalElement } from './field-element.ts';
import { firstEntries, isEmptyObject, onlySelf, selfMark } from './fields-v1.ts';
import { type FieldSet, MEMBER, type OpenFieldSet, SELF } from './field-set.ts';
import { type JsonValue, isObject } from '../../api/json.ts';

/**
 * Reads `fieldsV1` as it came in JSON, from a client or from the store. What is
 * written as this server writes it is returned as it is; other spellings of an
 * element are brought into the one form, elements of an unknown kind are
 * dropped. Undefined when the value is not a set of fields.
 */
export function readFieldsV1(value: JsonValue | undefined): FieldSet | undefined {
  if (value === undefined || value === null) return MEMBER;
  if (!isObject(value)) return undefined;
  let out: OpenFieldSet | undefined;
  let seen = 0;
  for (const key of Object.keys(value)) {
    const element = key === SELF ? SELF : canonicalElement(key);
    if (element === undefined) return undefined;
    const child = value[key] as JsonValue;
    let node: FieldSet | undefined;
    if (element === SELF) node = selfMark(child);
    else node = isEmptyObject(child) ? child : readFieldsV1(child);
    if (node === undefined) return undefined;
    if (out === undefined && (element !== key || node !== child)) {
      out = firstEntries(value as FieldSet, seen);
    }
    if (out !== undefined && element !== null) out[element] = node;
    seen++;
  }
  return onlySelf(out ?? (value as FieldSet));
}
