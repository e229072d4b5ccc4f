import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import {
  fieldSchema,
  shapeOf,
  type MergeList,
  type MergeMap,
  type MergeSchema,
  type ScalarType,
} from '../merge-schema.ts';
import { elementText, fieldElement } from './field-element.ts';
import { itemElement, itemProblem } from './list-item.ts';
import type { TypedProblem } from './typed-error.ts';

/** `applied`: what a client sends must name each item once. `stored`: what is there may hold items twice. */
export type DuplicateItems = 'applied' | 'stored';

export type Problems = TypedProblem[] | undefined;

/** More problems of one object are not looked for. */
export const MAX_TYPED_PROBLEMS = 500;

/**
 * Whether a value can be merged by its schema: known fields, the right shapes,
 * items that can be told apart. Not validation: it knows no ranges, lengths or
 * required fields. Undefined when all is well.
 *
 * Source: structured-merge-diff, typed/validate.go.
 */
export function* typedSteps(
  schema: MergeSchema,
  value: JsonValue,
  duplicates: DuplicateItems,
): Steps<readonly TypedProblem[] | undefined> {
  const problems = yield* check(schema, value, duplicates);
  return problems?.slice(0, MAX_TYPED_PROBLEMS);
}

/** Whether there are so many problems that the check may stop. */
export function isFull(problems: Problems): boolean {
  return problems !== undefined && problems.length >= MAX_TYPED_PROBLEMS;
}

function* check(
  schema: MergeSchema,
  value: JsonValue,
  duplicates: DuplicateItems,
): Steps<Problems> {
  const shape = shapeOf(schema, value);
  if (shape === 'map' && isObject(value)) {
    return yield* checkMap(schema.map as MergeMap, value, duplicates);
  }
  if (shape === 'list' && Array.isArray(value)) {
    return yield* checkList(schema.list as MergeList, value, duplicates);
  }
  return checkLeaf(schema, value);
}

/** What has nothing below it, or not what the schema says. */
export function checkLeaf(schema: MergeSchema, value: JsonValue): Problems {
  if (value === null) return undefined;
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return checkScalar(schema.scalar ?? 'untyped', value);
    case 'map':
      return problem(`expected map, got ${typeName(value)}`);
    case 'list':
      return problem(`expected list, got ${typeName(value)}`);
    case 'none':
      return problem('schema error: nothing is allowed here');
  }
}

/** One problem; those who call add the path as they return. */
export function problem(message: string): TypedProblem[] {
  return [{ path: '', message }];
}

function typeName(value: JsonValue): string {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return value === null ? 'null' : 'map';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function checkScalar(type: ScalarType, value: JsonValue): Problems {
  switch (type) {
    case 'numeric':
      if (typeof value === 'number' || typeof value === 'bigint') return undefined;
      return problem(`expected numeric (int or float), got ${typeName(value)}`);
    case 'string':
    case 'boolean':
      return typeof value === type
        ? undefined
        : problem(`expected ${type}, got ${typeName(value)}`);
    case 'untyped':
      return typeof value === 'object'
        ? problem(`expected any scalar, got ${typeName(value)}`)
        : undefined;
  }
}

function* checkMap(map: MergeMap, value: JsonObject, duplicates: DuplicateItems): Steps<Problems> {
  let problems: Problems;
  for (const key of Object.keys(value)) {
    if (isStepOver()) yield;
    const schema = fieldSchema(map, key);
    const child = value[key] as JsonValue;
    let below: Problems;
    if (schema === undefined) below = problem('field not declared in schema');
    else if (typeof child === 'object') below = yield* check(schema, child, duplicates);
    else below = checkLeaf(schema, child);
    if (below !== undefined) problems = under(fieldElement(key), below, problems);
    // one unknown field says enough about an object
    if (schema === undefined || isFull(problems)) break;
  }
  return problems;
}

/** Adds to the problems found so far: copies of them would cost their square. */
export function under(element: string, below: TypedProblem[], problems: Problems): TypedProblem[] {
  const prefix = elementText(element);
  const all = problems ?? [];
  for (const { path, message } of below) all.push({ path: prefix + path, message });
  return all;
}

function* checkList(
  list: MergeList,
  items: readonly JsonValue[],
  duplicates: DuplicateItems,
): Steps<Problems> {
  const isAtomic = list.type === 'atomic';
  const seen = isAtomic || duplicates === 'stored' ? undefined : new Set<string>();
  let problems: Problems;
  for (let i = 0; i < items.length && !isFull(problems); i++) {
    if (isStepOver()) yield;
    const item = items[i] as JsonValue;
    const unknown = isAtomic ? undefined : itemProblem(list, item);
    if (unknown !== undefined) {
      return [...(problems ?? []), ...problem(`element ${i}: ${unknown}`)];
    }
    if (seen !== undefined) {
      const element = itemElement(list, item);
      if (seen.has(element)) {
        (problems ??= []).push(...problem(`duplicate entries for key ${elementText(element)}`));
      }
      seen.add(element);
    }
    const below = yield* check(list.element, item, duplicates);
    if (below !== undefined) {
      problems = under(isAtomic ? `i:${i}` : itemElement(list, item), below, problems);
    }
  }
  return problems;
}
