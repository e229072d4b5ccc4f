import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { JUNCTOR_LISTS } from './json-node.ts';
import { CONTAINS, type StructuralSchema } from '../structure/structural.ts';

/** Levels of schemas inside schemas. The deepest of well-known projects have about thirty. */
export const MAX_SCHEMA_DEPTH = 200;
/** Schemas inside one schema. A definition of the largest size that is stored has fewer. */
const MAX_SCHEMA_NODES = 100_000;
/** Schemas below all allOf, anyOf and oneOf of one schema. Those in use have some hundred. */
const MAX_ALTERNATIVES = 4_000;
/** Rules in one schema, and characters of all their expressions: compiling them takes time. */
export const MAX_RULES = 5_000;
export const MAX_RULE_TEXT = 128 * 1024;
/** Those of all versions of one definition that are compiled at a time. */
const MAX_DEFINITION_RULE_TEXT = 256 * 1024;
/**
 * Work of compiling the patterns of one definition, in nanoseconds: those in its
 * schemas and those in its rules. Those of definitions in use take a hundredth.
 */
export const MAX_PATTERN_WORK = 500_000_000;

/**
 * Refuses schemas that are too deep or too large before anything else walks
 * them. Counts objects and lists below the schema, which is never less than the
 * schemas in it.
 */
export function checkLimits(schema: JsonObject, path: FieldPath): FieldError | undefined {
  // each level of schemas is at most two levels of JSON (`properties` and a name)
  const size = measure(schema, 2 * MAX_SCHEMA_DEPTH, 2 * MAX_SCHEMA_NODES);
  switch (size) {
    case 'deep':
      return fieldError.invalid(
        path,
        '',
        `nested deeper than ${MAX_SCHEMA_DEPTH} levels of schemas`,
      );
    case 'large':
      return fieldError.invalid(path, '', `more than ${MAX_SCHEMA_NODES} schemas in one schema`);
    case 'alternatives':
      return fieldError.invalid(
        path,
        '',
        `more than ${MAX_ALTERNATIVES} schemas below allOf, anyOf and oneOf`,
      );
    case 'fine':
      return undefined;
  }
}

type Size = 'fine' | 'deep' | 'large' | 'alternatives';

/** Whether a schema stays within a depth, a number of objects and lists, and of alternatives; stops when it does not. */
function measure(value: JsonValue, maxDepth: number, maxNodes: number): Size {
  let alternatives = 0;
  let nodes = 0;
  const visit = (at: JsonValue, depth: number): Size => {
    if (typeof at !== 'object' || at === null) return 'fine';
    if (depth > maxDepth) return 'deep';
    if (++nodes > maxNodes) return 'large';
    if (!Array.isArray(at)) {
      for (const junctor of JUNCTOR_LISTS) {
        const list = at[junctor];
        if (Array.isArray(list)) alternatives += list.length;
      }
      if (alternatives > MAX_ALTERNATIVES) return 'alternatives';
    }
    for (const child of Array.isArray(at) ? at : Object.values(at)) {
      const size = visit(child, depth + 1);
      if (size !== 'fine') return size;
    }
    return 'fine';
  };
  return visit(value, 0);
}

/** What is left of {@link MAX_DEFINITION_RULE_TEXT} for the schemas of one definition. */
export class RuleTextBudget {
  #left = MAX_DEFINITION_RULE_TEXT;

  /** False: that is more than is left. */
  take(characters: number): boolean {
    this.#left -= characters;
    return this.#left >= 0;
  }
}

/** Refuses more rules than can be compiled in passing. Definitions in use have some dozens. */
export function checkRuleLimits(
  schema: StructuralSchema,
  path: FieldPath,
  budget: RuleTextBudget,
): FieldError | undefined {
  let count = 0;
  let text = 0;
  const visit = (node: StructuralSchema): void => {
    if ((node.contains & CONTAINS.rules) === 0) return;
    count += node.rules.length;
    for (const rule of node.rules) text += rule.rule.length + rule.messageExpression.length;
    for (const property of node.properties?.values() ?? []) visit(property);
    if (typeof node.additionalProperties === 'object') visit(node.additionalProperties);
    if (node.items !== undefined) visit(node.items);
  };
  visit(schema);
  if (count > MAX_RULES) return fieldError.forbidden(path, `more than ${MAX_RULES} rules`);
  if (text > MAX_RULE_TEXT) {
    return fieldError.forbidden(path, `rules with more than ${MAX_RULE_TEXT} characters in all`);
  }
  if (budget.take(text)) return undefined;
  return fieldError.forbidden(
    path,
    `rules with more than ${MAX_DEFINITION_RULE_TEXT} characters in all versions`,
  );
}
