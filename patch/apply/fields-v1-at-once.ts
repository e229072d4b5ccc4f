// Made from fields-v1.ts by `npm run generate:twins`: the same without rests.
import { canonicalElement, compareElements, elementText } from './field-element.ts';
import { firstEntries, isEmptyObject, onlySelf, selfMark } from './fields-v1.ts';
import { type FieldSet, MEMBER, type OpenFieldSet, SELF, isMember } from './field-set.ts';
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

/**
 * Every member as text (`.spec.replicas`), members of a place before the
 * members below them: the order in which conflicts are listed.
 */
export function pathTexts(set: FieldSet): string[] {
  const texts: string[] = [];
  collectTexts(set, '', texts);
  return texts;
}

function collectTexts(set: FieldSet, prefix: string, texts: string[]): void {
  const keys = Object.keys(set)
    .filter((key) => key !== SELF)
    .sort(compareElements);
  const named = keys.map((key) => [set[key] as FieldSet, prefix + elementText(key)] as const);
  for (const [node, text] of named) {
    if (isMember(node)) texts.push(text);
  }
  for (const [node, text] of named) {
    if (!isEmptyObject(node)) collectTexts(node, text, texts);
  }
}
