import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
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
type DuplicateItems = 'applied' | 'stored';

type Problems = TypedProblem[] | undefined;

/** More problems of one object are not looked for. */
export const MAX_TYPED_PROBLEMS = 500;

/**
 * Whether a value can be merged by its schema: known fields, the right shapes,
 * items that can be told apart. Not validation: it knows no ranges, lengths or
 * required fields. Undefined when all is well.
 *
 * Source: structured-merge-diff, typed/validate.go.
 */
export function typedProblems(
  schema: MergeSchema,
  value: JsonValue,
  duplicates: DuplicateItems,
): readonly TypedProblem[] | undefined {
  return check(schema, value, duplicates)?.slice(0, MAX_TYPED_PROBLEMS);
}

function isFull(problems: Problems): boolean {
  return problems !== undefined && problems.length >= MAX_TYPED_PROBLEMS;
}

function check(schema: MergeSchema, value: JsonValue, duplicates: DuplicateItems): Problems {
  if (value === null) return undefined;
  switch (shapeOf(schema, value)) {
    case 'scalar':
      return checkScalar(schema.scalar ?? 'untyped', value);
    case 'map':
      if (!isObject(value)) return problem(`expected map, got ${typeName(value)}`);
      return checkMap(schema.map as MergeMap, value, duplicates);
    case 'list':
      if (!Array.isArray(value)) return problem(`expected list, got ${typeName(value)}`);
      return checkList(schema.list as MergeList, value, duplicates);
    case 'none':
      return problem('schema error: nothing is allowed here');
  }
}

function problem(message: string): TypedProblem[] {
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

function checkMap(map: MergeMap, value: JsonObject, duplicates: DuplicateItems): Problems {
  let problems: Problems;
  for (const key of Object.keys(value)) {
    const schema = fieldSchema(map, key);
    const below =
      schema === undefined
        ? problem('field not declared in schema')
        : check(schema, value[key] as JsonValue, duplicates);
    if (below !== undefined) problems = under(fieldElement(key), below, problems);
    // one unknown field says enough about an object
    if (schema === undefined || isFull(problems)) break;
  }
  return problems;
}

/** Adds to the problems found so far: copies of them would cost their square. */
function under(element: string, below: TypedProblem[], problems: Problems): TypedProblem[] {
  const prefix = elementText(element);
  const all = problems ?? [];
  for (const { path, message } of below) all.push({ path: prefix + path, message });
  return all;
}

function checkList(
  list: MergeList,
  items: readonly JsonValue[],
  duplicates: DuplicateItems,
): Problems {
  const isAtomic = list.type === 'atomic';
  const seen = isAtomic || duplicates === 'stored' ? undefined : new Set<string>();
  let problems: Problems;
  for (let i = 0; i < items.length && !isFull(problems); i++) {
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
    const below = check(list.element, item, duplicates);
    if (below !== undefined) {
      problems = under(isAtomic ? `i:${i}` : itemElement(list, item), below, problems);
    }
  }
  return problems;
}
