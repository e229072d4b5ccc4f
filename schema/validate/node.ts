import { fieldError } from '../../api/field-error.ts';
import { hasOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { Keywords, StructuralSchema } from '../structure/structural.ts';
import { isUnchanged, oldField, OldItems } from './correlate.ts';
import { checkJunctors } from './junctors.ts';
import { checkNumber } from './numbers.ts';
import type { ValidationRun } from './run.ts';
import { checkEnum, checkString } from './scalars.ts';
import { checkType, jsonTypeOf } from './types.ts';

/** Names that must be there and cost one step when they are looked for. */
const NAMES_PER_STEP = 4;

/**
 * Checks a value that may have an old one: whatever is wrong with it counts only
 * when the value has changed. `structure` is the schema that gives the value its
 * place in the object (below a junctor, the one around it), by which old values
 * are found; without an `old` value there is no need for it.
 *
 * Source: KEP-4008; behaviours 7.17.
 */
export function validateNode(
  run: ValidationRun,
  value: JsonValue,
  schema: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
): void {
  if (old === undefined || structure === undefined) {
    checkNode(run, value, schema, undefined, undefined);
    return;
  }
  const { failures } = run;
  const kept = run.errors.length;
  const differsAbove = run.setDiffers(false);
  checkNode(run, value, schema, structure, old);
  const differsBelow = run.setDiffers(differsAbove);
  if (run.failures === failures) return;
  if (!differsBelow && isUnchanged(value, old, structure)) {
    run.forget(failures, kept);
  } else run.setDiffers(true);
}

/**
 * Checks a value against a schema, without a look at what it was before; with
 * `deep` false without what is inside of it.
 */
export function checkNode(
  run: ValidationRun,
  value: JsonValue,
  schema: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
  deep = true,
): void {
  if (!run.spend(1)) return;
  const type = jsonTypeOf(value);
  const { keywords } = schema;
  if (type === 'null') {
    if (!schema.nullable) checkType(run, type, schema);
    if (keywords?.enum !== undefined) checkEnum(run, value, keywords.enum);
    return;
  }
  run.matches += isTyped(schema) ? 5 : 4;
  checkType(run, type, schema);
  if (keywords !== undefined) {
    if (hasJunctors(keywords)) {
      checkJunctors(run, keywords, (other) => checkNode(run, value, other, structure, old));
    }
    if (keywords.enum !== undefined) checkEnum(run, value, keywords.enum);
  }
  if (typeof value === 'string') {
    if (keywords !== undefined) checkString(run, value, schema, keywords);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    checkNumber(run, value, schema, keywords);
  } else if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) {
      if (deep) checkItems(run, value, schema, structure, old);
      checkLength(run, value, schema);
    } else {
      run.matches++;
      if (keywords !== undefined) checkKeys(run, value, keywords);
      if (deep) checkFields(run, value, schema, structure, old);
    }
  }
}

function hasJunctors({ allOf, anyOf, oneOf, not }: Keywords): boolean {
  return anyOf.length > 0 || allOf.length > 0 || oneOf.length > 0 || not !== undefined;
}

/** Whether kube-apiserver would count a check of the type. */
function isTyped({ type, intOrString, keywords }: StructuralSchema): boolean {
  return type !== '' || intOrString || (keywords !== undefined && keywords.format !== '');
}

function checkItems(
  run: ValidationRun,
  value: JsonValue[],
  { items }: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
): void {
  if (items === undefined) return;
  const oldItems = structure === undefined ? undefined : OldItems.of(old, structure);
  for (let i = 0; i < value.length; i++) {
    const item = value[i] as JsonValue;
    run.push(i);
    validateNode(run, item, items, structure?.items, oldItems?.find(item));
    run.pop();
  }
}

function checkLength(run: ValidationRun, value: JsonValue[], { keywords }: StructuralSchema): void {
  run.matches += 2;
  if (keywords === undefined) return;
  const { minItems, maxItems } = keywords;
  if (minItems !== undefined && value.length < minItems && run.fails()) {
    run.reportInvalid(value.length, `should have at least ${minItems} items`);
  }
  if (maxItems !== undefined && value.length > maxItems && run.fails()) {
    run.report(fieldError.tooMany(run.path(), value.length, maxItems));
  }
}

function checkFields(
  run: ValidationRun,
  value: JsonObject,
  schema: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
): void {
  const { properties, additionalProperties: others } = schema;
  if (properties === undefined && (others === undefined || others === true)) return;
  for (const key in value) {
    const child = fieldSchema(run, schema, key);
    if (child === undefined) continue;
    const before = oldValueOf(run, structure, old, key);
    run.push(key);
    validateNode(run, value[key] as JsonValue, child, structure?.child(key), before);
    run.pop();
  }
}

/** The schema of a field; undefined when nothing is said of it, or it is forbidden, which is reported. */
export function fieldSchema(
  run: ValidationRun,
  { properties, additionalProperties: others }: StructuralSchema,
  key: string,
): StructuralSchema | undefined {
  const child = properties?.get(key) ?? others;
  if (child !== false) return child === true ? undefined : child;
  if (run.fails()) {
    const why = `${run.name()}.${key} in body is a forbidden property`;
    run.report(fieldError.invalid(run.path(), key, why));
  }
  return undefined;
}

/** The value of a field before the update. */
export function oldValueOf(
  run: ValidationRun,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
  key: string,
): JsonValue | undefined {
  if (structure === undefined) return undefined;
  // both are converted to the version of the request, so a change of them does not show
  if (run.isAtRoot && (key === 'apiVersion' || key === 'kind')) return undefined;
  return oldField(old, structure, key);
}

function checkKeys(run: ValidationRun, value: JsonObject, keywords: Keywords): void {
  const { minProperties, maxProperties, required } = keywords;
  if (minProperties !== undefined || maxProperties !== undefined) {
    const count = Object.keys(value).length;
    if (minProperties !== undefined && count < minProperties && run.fails()) {
      run.reportInvalid(count, `should have at least ${minProperties} properties`);
    }
    if (maxProperties !== undefined && count > maxProperties && run.fails()) {
      run.report(fieldError.tooMany(run.path(), count, maxProperties));
    }
  }
  run.spend(required.length / NAMES_PER_STEP);
  for (const name of required) {
    if (hasOwn(value, name) || !run.fails()) continue;
    run.push(name);
    run.report(fieldError.required(run.path()));
    run.pop();
  }
}
