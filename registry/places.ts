import type { JsonValue } from '../api/json.ts';
import { compareByKey, compareByName, type OrderKey, type Ranked } from '../query/order.ts';
import type { ValueKind } from '../query/resolve-path.ts';
import { sortValue, type SortValue } from '../query/sort-value.ts';
import type { Entry } from '../watch/entry.ts';
import type { ServedResource } from './served-resource.ts';
import { shownValue } from './shown-value.ts';
import type { Views } from './views.ts';

interface ResolvedKey extends OrderKey {
  readonly kind: ValueKind;
}

/** An order of the objects of a resource. */
export type ObjectOrder = readonly ResolvedKey[];

/** An object with the values that it is ordered by. */
export class Place implements Ranked {
  readonly entry: Entry;
  readonly values: readonly SortValue[];

  constructor(entry: Entry, values: readonly SortValue[]) {
    this.entry = entry;
    this.values = values;
  }

  get key(): string {
    return this.entry.key;
  }
}

interface Key extends ResolvedKey {
  readonly read: (entry: Entry) => JsonValue | undefined;
}

/** Where objects, as a version shows them, stand in an order. */
export class Places {
  readonly #keys: readonly Key[];

  constructor(views: Views, resource: ServedResource, order: ObjectOrder) {
    this.#keys = order.map((key) => ({ ...key, read: shownValue(views, resource, key.path) }));
  }

  of(entry: Entry): Place {
    return new Place(
      entry,
      this.#keys.map((key) => valueOf(entry, key)),
    );
  }

  /** The place of an object that stands before another; of one behind it no more is read than tells so. */
  before(entry: Entry, other: Place): Place | undefined {
    const keys = this.#keys;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as Key;
      const compared = compareByKey(valueOf(entry, key), other.values[i], key.descending);
      if (compared > 0) return undefined;
      if (compared < 0) return this.of(entry);
    }
    return compareByName(entry.key, other.key) < 0 ? this.of(entry) : undefined;
  }
}

function valueOf(entry: Entry, { kind, read }: Key): SortValue {
  return sortValue(read(entry), kind);
}
