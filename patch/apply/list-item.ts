import { hasOwn, isObject, type JsonValue } from '../../api/json.ts';
import type { MergeList } from '../merge-schema.ts';
import { canonicalValue, valueElement } from './field-element.ts';
import { ListItemError } from './typed-error.ts';

/** Why an item of a `set` or `map` list cannot be told apart from others; undefined when it can. */
export function itemProblem(list: MergeList, item: JsonValue): string | undefined {
  if (list.type === 'set') {
    return item === null
      ? 'associative list without keys has an element that is an explicit null'
      : undefined;
  }
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isObject(item)) return 'associative list with keys may not have non-map elements';
  for (const key of list.keys) {
    if (key.default !== undefined || hasOwn(item, key.name)) return undefined;
  }
  const names = list.keys.map((key) => JSON.stringify(key.name)).join(' ');
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

/**
 * The element by which an item of a `set` or `map` list is known. Keys that an
 * item leaves out take their default; those without one are left out, but not
 * all of them.
 *
 * @throws ListItemError when the item cannot be told apart from others
 */
export function itemElement(list: MergeList, item: JsonValue): string {
  const problem = itemProblem(list, item);
  if (problem !== undefined) throw new ListItemError(problem);
  if (!isObject(item) || list.type === 'set') return valueElement(item);
  let text = '';
  for (const key of list.keys) {
    const value = hasOwn(item, key.name) ? item[key.name] : key.default;
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${key.quoted}:${canonicalValue(value)}`;
  }
  return `k:{${text}}`;
}

/** The items of a list by their element, in order; an element that occurs more than once has several. */
export function itemsByElement(
  list: MergeList,
  items: readonly JsonValue[],
): Map<string, JsonValue[]> {
  const found = new Map<string, JsonValue[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}
