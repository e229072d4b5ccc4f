import type { Entry } from './entry.ts';
import type { ReadonlyOrderedMap } from './ordered-map.ts';
import type { Replica } from './replica.ts';

interface CollectionListener {
  /** All objects: at first, and after each reload, when the whole state is another one. */
  readonly onState: (items: ReadonlyOrderedMap<Entry>) => void;
  /** Keys, below the prefix, of objects that have changed; what `items` lacks is deleted. */
  readonly onChanges: (keys: ReadonlySet<string>, items: ReadonlyOrderedMap<Entry>) => void;
}

/**
 * Tells of the objects of a collection and of each change, within the replica's
 * own step: a read that waits for a revision finds what a listener made of it. A
 * listener must not throw. Call the answer to stop.
 */
export function followCollection(
  replica: Replica,
  prefix: string,
  { onState, onChanges }: CollectionListener,
): () => void {
  let stopListening = (): void => undefined;
  const begin = (): void => {
    stopListening();
    const collection = replica.collection(prefix);
    let position = collection.history.end;
    stopListening = collection.listen(() => {
      const { history, items } = collection;
      const keys = new Set<string>();
      // what is cut off already was there before the first look
      position = Math.max(position, history.start);
      for (; position < history.end; position++) keys.add(history.at(position).entry.key);
      onChanges(keys, items);
    });
    onState(collection.items);
  };
  const stopReloads = replica.onReload(begin);
  begin();
  return () => {
    stopListening();
    stopReloads();
  };
}
