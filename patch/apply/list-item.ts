import { hasOwn, isObject, type JsonValue } from '../../api/json.ts';
import type { MergeList } from '../merge-schema.ts';
import { keyElement, valueElement } from './field-element.ts';
import { ListItemError } from './typed-error.ts';

/**
 * The element by which an item of a `set` or `map` list is known. Keys that an
 * item leaves out take their default; those without one are left out, but not
 * all of them.
 *
 * @throws ListItemError when the item cannot be told apart from others
 */
export function itemElement(list: MergeList, item: JsonValue): string {
  if (list.type === 'set') {
    if (item === null) {
      throw new ListItemError(
        'associative list without keys has an element that is an explicit null',
      );
    }
    return valueElement(item);
  }
  if (item === null) {
    throw new ListItemError('associative list with keys may not have a null element');
  }
  if (!isObject(item)) {
    throw new ListItemError('associative list with keys may not have non-map elements');
  }
  const fields: [string, JsonValue][] = [];
  for (const key of list.keys) {
    const value = hasOwn(item, key.name) ? item[key.name] : key.default;
    if (value !== undefined) fields.push([key.name, value]);
  }
  if (fields.length === 0) {
    const names = list.keys.map((key) => JSON.stringify(key.name)).join(' ');
    throw new ListItemError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  if (fields.length > 1) fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return keyElement(fields);
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
