import type { ApiObject } from '../api/object.ts';
import type { Entry } from '../watch/entry.ts';

type Read = (object: ApiObject) => string;

/** Objects whose values are remembered: many streams ask for those of one event. */
const MAX_OBJECTS = 1_024;

/** By object, then by what reads the field. The order is that of the insertions. */
const remembered = new Map<Entry, Map<Read, string>>();

/**
 * The text of a field of an object. Reading it takes the whole object, which is
 * parsed for it; so the values of the objects read last are kept for other
 * streams with other selectors.
 */
export function selectedField(entry: Entry, read: Read, parsed: () => ApiObject): string {
  let values = remembered.get(entry);
  if (values === undefined) {
    if (remembered.size >= MAX_OBJECTS) {
      const [oldest] = remembered.keys();
      if (oldest !== undefined) remembered.delete(oldest);
    }
    remembered.set(entry, (values = new Map<Read, string>()));
  }
  let value = values.get(read);
  if (value === undefined) values.set(read, (value = read(parsed())));
  return value;
}
