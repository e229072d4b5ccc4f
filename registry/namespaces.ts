import type { NamespaceReader, NamespaceState } from '../admission/plugins/namespace-lifecycle.ts';
import { getPath, type JsonObject } from '../api/json.ts';
import { resourcePrefix } from '../storage/keys.ts';
import { Entry } from '../watch/entry.ts';
import type { Store } from '../storage/interface.ts';
import type { Replica } from '../watch/replica.ts';

const PREFIX = resourcePrefix({ group: '', resource: 'namespaces' });

/** Namespaces as admission asks for them. */
export function namespaceReader(store: Store, replica: Replica): NamespaceReader {
  const states = new WeakMap<Entry, NamespaceState>();
  const stateOf = (entry: Entry): NamespaceState => {
    let state = states.get(entry);
    if (state === undefined) {
      state = { terminating: isTerminating(entry.object()) };
      states.set(entry, state);
    }
    return state;
  };
  return {
    cached(name) {
      const entry = replica.collection(PREFIX).items.get(name);
      return entry === undefined || entry.corrupt ? undefined : stateOf(entry);
    },
    async live(name) {
      const { item } = await store.get(PREFIX + name);
      if (item === undefined) return undefined;
      const entry = Entry.fromStored(name, item.value, item.revision);
      return entry.corrupt ? undefined : stateOf(entry);
    },
  };
}

function isTerminating(namespace: JsonObject): boolean {
  return (
    getPath(namespace, 'metadata', 'deletionTimestamp') !== undefined ||
    getPath(namespace, 'status', 'phase') === 'Terminating'
  );
}
