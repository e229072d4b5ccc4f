// Made from typed-check.ts by `npm run generate:twins`: the same without rests.
import type { TypedProblem } from './typed-error.ts';
import { elementText, fieldElement } from './field-element.ts';
import { itemElement, itemProblem } from './list-item.ts';
import {
  type DuplicateItems,
  MAX_TYPED_PROBLEMS,
  type Problems,
  checkLeaf,
  isFull,
  problem,
  under,
} from './typed-check.ts';
import { type JsonObject, type JsonValue, isObject } from '../../api/json.ts';
import {
  type MergeList,
  type MergeMap,
  type MergeSchema,
  fieldSchema,
  shapeOf,
} from '../merge-schema.ts';

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
  const problems = check(schema, value, duplicates);
  return problems?.slice(0, MAX_TYPED_PROBLEMS);
}

function check(schema: MergeSchema, value: JsonValue, duplicates: DuplicateItems): Problems {
  const shape = shapeOf(schema, value);
  if (shape === 'map' && isObject(value)) {
    return checkMap(schema.map as MergeMap, value, duplicates);
  }
  if (shape === 'list' && Array.isArray(value)) {
    return checkList(schema.list as MergeList, value, duplicates);
  }
  return checkLeaf(schema, value);
}

function checkMap(map: MergeMap, value: JsonObject, duplicates: DuplicateItems): Problems {
  let problems: Problems;
  for (const key of Object.keys(value)) {
    const schema = fieldSchema(map, key);
    const child = value[key] as JsonValue;
    let below: Problems;
    if (schema === undefined) below = problem('field not declared in schema');
    else if (typeof child === 'object') below = check(schema, child, duplicates);
    else below = checkLeaf(schema, child);
    if (below !== undefined) problems = under(fieldElement(key), below, problems);
    // one unknown field says enough about an object
    if (schema === undefined || isFull(problems)) break;
  }
  return problems;
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
