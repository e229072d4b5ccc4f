import type { NamespaceReader, NamespaceState } from '../admission/namespaces.ts';
import { getPath } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { Entry } from '../watch/entry.ts';
import type { Store } from '../storage/interface.ts';
import type { Replica } from '../watch/replica.ts';
import { NAMESPACES_PREFIX } from './prefixes.ts';

/** Namespaces as admission asks for them. */
export function namespaceReader(store: Store, replica: Replica): NamespaceReader {
  const stateOf = (entry: Entry): NamespaceState => new EntryState(entry);
  return {
    cached(name) {
      const entry = replica.collection(NAMESPACES_PREFIX).items.get(name);
      return entry === undefined || entry.corrupt ? undefined : stateOf(entry);
    },
    async live(name) {
      const { item } = await store.get(NAMESPACES_PREFIX + name);
      if (item === undefined) return undefined;
      const entry = Entry.fromStored(name, item.value, item.revision);
      return entry.corrupt ? undefined : stateOf(entry);
    },
  };
}

/** Reads of an entry what is asked for. */
class EntryState implements NamespaceState {
  readonly #entry: Entry;
  #object: ApiObject | undefined;

  constructor(entry: Entry) {
    this.#entry = entry;
  }

  get terminating(): boolean {
    return isTerminating(this.#entry);
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#entry.labels;
  }

  get object(): ApiObject {
    this.#object ??= this.#entry.object();
    return this.#object;
  }
}

const terminating = new WeakMap<Entry, boolean>();

/** Is the namespace on its way out? The entry must be readable. */
export function isTerminating(entry: Entry): boolean {
  let known = terminating.get(entry);
  if (known === undefined) {
    known = isMarked(entry.object());
    terminating.set(entry, known);
  }
  return known;
}

function isMarked(namespace: ApiObject): boolean {
  return (
    getPath(namespace, 'metadata', 'deletionTimestamp') !== undefined ||
    getPath(namespace, 'status', 'phase') === 'Terminating'
  );
}
