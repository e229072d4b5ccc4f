import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { deepClone } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import { applyDefaults } from '../default.ts';
import { MAX_EXPANDED_BYTES, MAX_EXPANDED_FIELDS, type DefaultBudget } from '../default-budget.ts';
import { CONTAINS, type StructuralSchema } from '../structure/structural.ts';

/**
 * Refuses defaults that grow too large by the defaults inside them: nine levels
 * of ten items each are a thousand million. Every default is filled in once, as
 * it would be in an object, out of one budget for the whole definition.
 */
export function* checkDefaultSizes(
  schema: StructuralSchema,
  path: FieldPath,
  budget: DefaultBudget,
): Steps<FieldError | undefined> {
  yield;
  if ((schema.contains & CONTAINS.default) === 0) return undefined;
  if (schema.default !== undefined) {
    const fits =
      budget.take(schema.defaultSize) &&
      applyDefaults(deepClone(schema.default), schema, { budget }) === undefined;
    if (!fits) return fieldError.forbidden(path.child('default'), TOO_LARGE);
  }
  const { items, properties, additionalProperties: others } = schema;
  if (items !== undefined) {
    const wrong = yield* checkDefaultSizes(items, path.child('items'), budget);
    if (wrong !== undefined) return wrong;
  }
  if (typeof others === 'object') {
    const wrong = yield* checkDefaultSizes(others, path.child('additionalProperties'), budget);
    if (wrong !== undefined) return wrong;
  }
  for (const [name, property] of properties ?? []) {
    const wrong = yield* checkDefaultSizes(property, path.child('properties').key(name), budget);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const TOO_LARGE = `the defaults of a definition, each with the defaults inside it, must not add up to more than ${MAX_EXPANDED_FIELDS} fields or ${MAX_EXPANDED_BYTES} bytes`;
