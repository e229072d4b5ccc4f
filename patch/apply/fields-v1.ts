import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import { canonicalElement, compareElements, elementText } from './field-element.ts';
import { isEmpty, isMember, MEMBER, SELF, type FieldSet, type OpenFieldSet } from './field-set.ts';

/**
 * Reads `fieldsV1` as it came in JSON, from a client or from the store. What is
 * written as this server writes it is returned as it is; other spellings of an
 * element are brought into the one form, elements of an unknown kind are
 * dropped. Undefined when the value is not a set of fields.
 */
export function* fieldsV1Steps(value: JsonValue | undefined): Steps<FieldSet | undefined> {
  if (value === undefined || value === null) return MEMBER;
  if (!isObject(value)) return undefined;
  let out: OpenFieldSet | undefined;
  let seen = 0;
  for (const key of Object.keys(value)) {
    if (isStepOver()) yield;
    const element = key === SELF ? SELF : canonicalElement(key);
    if (element === undefined) return undefined;
    const child = value[key] as JsonValue;
    let node: FieldSet | undefined;
    if (element === SELF) node = selfMark(child);
    else node = isEmptyObject(child) ? child : yield* fieldsV1Steps(child);
    if (node === undefined) return undefined;
    if (out === undefined && (element !== key || node !== child)) {
      out = firstEntries(value as FieldSet, seen);
    }
    if (out !== undefined && element !== null) out[element] = node;
    seen++;
  }
  return onlySelf(out ?? (value as FieldSet));
}

/** What stands below `.` says nothing. */
export function selfMark(child: JsonValue): FieldSet {
  return isEmptyObject(child) ? child : MEMBER;
}

/** Most places are members without others below them: no steps are made for these. */
export function isEmptyObject(value: JsonValue): value is JsonObject & FieldSet {
  return isObject(value) && isEmpty(value as FieldSet);
}

/** The first `count` entries in the order of the set. */
export function firstEntries(value: FieldSet, count: number): OpenFieldSet {
  return Object.fromEntries(Object.entries(value).slice(0, count));
}

/** `{".":{}}` says no more than `{}`. */
export function onlySelf(node: FieldSet): FieldSet {
  for (const key in node) if (key !== SELF) return node;
  return node[SELF] === undefined ? node : MEMBER;
}

/**
 * Every member as text (`.spec.replicas`), members of a place before the
 * members below them: the order in which conflicts are listed.
 */
export function* pathTextsSteps(set: FieldSet): Steps<string[]> {
  const texts: string[] = [];
  yield* collectTexts(set, '', texts);
  return texts;
}

function* collectTexts(set: FieldSet, prefix: string, texts: string[]): Steps<void> {
  const keys = Object.keys(set)
    .filter((key) => key !== SELF)
    .sort(compareElements);
  const named = keys.map((key) => [set[key] as FieldSet, prefix + elementText(key)] as const);
  yield;
  for (const [node, text] of named) {
    if (isStepOver()) yield;
    if (isMember(node)) texts.push(text);
  }
  for (const [node, text] of named) {
    if (isStepOver()) yield;
    if (!isEmptyObject(node)) yield* collectTexts(node, text, texts);
  }
}
