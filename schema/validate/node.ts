import { fieldError } from '../../api/field-error.ts';
import { hasOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { Keywords } from '../structure/keywords.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { isUnchanged, oldField, OldItems } from './correlate.ts';
import { checkJunctors } from './junctors.ts';
import { checkNumber } from './numbers.ts';
import type { ValidationRun } from './run.ts';
import { checkEnum, checkString } from './scalars.ts';
import { checkType, jsonTypeOf } from './types.ts';

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
    run.failures = failures;
    run.errors.length = Math.min(run.errors.length, kept);
  } else run.setDiffers(true);
}

/** Checks a value against a schema, without a look at what it was before. */
export function checkNode(
  run: ValidationRun,
  value: JsonValue,
  schema: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
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
    if (hasJunctors(keywords)) checkJunctors(run, value, keywords, structure, old);
    if (keywords.enum !== undefined) checkEnum(run, value, keywords.enum);
  }
  if (typeof value === 'string') {
    if (keywords !== undefined) checkString(run, value, schema, keywords);
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    checkNumber(run, value, schema, keywords);
  } else if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) checkArray(run, value, schema, structure, old);
    else checkObject(run, value, schema, structure, old);
  }
}

function hasJunctors({ allOf, anyOf, oneOf, not }: Keywords): boolean {
  return anyOf.length > 0 || allOf.length > 0 || oneOf.length > 0 || not !== undefined;
}

/** Whether the reference would count a check of the type. */
function isTyped({ type, intOrString, keywords }: StructuralSchema): boolean {
  return type !== '' || intOrString || (keywords !== undefined && keywords.format !== '');
}

function checkArray(
  run: ValidationRun,
  value: JsonValue[],
  { items, keywords }: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
): void {
  run.matches += 2;
  if (items !== undefined) {
    const oldItems = structure === undefined ? undefined : OldItems.of(old, structure);
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as JsonValue;
      run.push(i);
      validateNode(run, item, items, structure?.items, oldItems?.find(item));
      run.pop();
    }
  }
  if (keywords === undefined) return;
  const { minItems, maxItems } = keywords;
  if (minItems !== undefined && value.length < minItems && run.fails()) {
    run.reportInvalid(value.length, `should have at least ${minItems} items`);
  }
  if (maxItems !== undefined && value.length > maxItems && run.fails()) {
    run.report(fieldError.tooMany(run.path(), value.length, maxItems));
  }
}

function checkObject(
  run: ValidationRun,
  value: JsonObject,
  schema: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
): void {
  run.matches++;
  const { properties, additionalProperties: others, keywords } = schema;
  if (keywords !== undefined) checkKeys(run, value, keywords);
  if (properties === undefined && (others === undefined || others === true)) return;
  for (const key in value) {
    const child = properties?.get(key) ?? others;
    if (child === undefined || child === true) continue;
    if (child === false) {
      if (run.fails())
        run.report(
          fieldError.invalid(
            run.path(),
            key,
            `${run.name()}.${key} in body is a forbidden property`,
          ),
        );
      continue;
    }
    // both are converted to the version of the request, so a change of them does not show
    const isTypeMeta = run.isAtRoot && (key === 'apiVersion' || key === 'kind');
    const before =
      structure === undefined || isTypeMeta ? undefined : oldField(old, structure, key);
    run.push(key);
    validateNode(run, value[key] as JsonValue, child, structure?.child(key), before);
    run.pop();
  }
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
  for (const name of required) {
    if (hasOwn(value, name) || !run.fails()) continue;
    run.push(name);
    run.report(fieldError.required(run.path()));
    run.pop();
  }
}
