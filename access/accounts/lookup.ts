import type { ApiObject } from '../../api/object.ts';
import type { GroupResource } from '../../api/group-version.ts';
import { relativeKey, resourcePrefix } from '../../storage/keys.ts';
import type { Store } from '../../storage/interface.ts';
import { Entry } from '../../watch/entry.ts';
import type { Replica } from '../../watch/replica.ts';

/** An object whose end ends tokens. */
interface Holder {
  readonly resource: string;
  /** Empty for cluster scope. */
  readonly namespace: string;
  readonly name: string;
}

/** Uids of entries that have been looked at; empty: the object is being deleted. */
const known = new WeakMap<Entry, string>();

/** Finds the core objects that tokens belong to. */
export class Holders {
  readonly #store: Store;
  readonly #replica: Replica;

  constructor(store: Store, replica: Replica) {
    this.#store = store;
    this.#replica = replica;
  }

  /** The uid of the object as the store has it; undefined: there is none, or it is being deleted. */
  async uidOf(holder: Holder): Promise<string | undefined> {
    const { prefix, key } = placeOf(holder);
    const { item } = await this.#store.get(prefix + key);
    if (item === undefined) return undefined;
    const uid = uidIn(Entry.fromStored(key, item.value, item.revision));
    return uid === '' ? undefined : uid;
  }

  /**
   * Is this the object of that uid? The replica says it; where it says no, the
   * store is asked, as the object may be younger than what the replica shows.
   */
  async isPresent(holder: Holder, uid: string): Promise<boolean> {
    const { prefix, key } = placeOf(holder);
    const entry = this.#replica.collection(prefix).items.get(key);
    if (entry !== undefined && uidIn(entry) === uid) return true;
    return (await this.uidOf(holder)) === uid;
  }
}

function placeOf({ resource, namespace, name }: Holder): { prefix: string; key: string } {
  const core: GroupResource = { group: '', resource };
  return { prefix: resourcePrefix(core), key: relativeKey(namespace, name) };
}

function uidIn(entry: Entry): string {
  let uid = known.get(entry);
  if (uid === undefined) {
    uid = entry.corrupt ? '' : presentUid(entry.object());
    known.set(entry, uid);
  }
  return uid;
}

function presentUid({ metadata }: ApiObject): string {
  return metadata.deletionTimestamp === undefined ? (metadata.uid ?? '') : '';
}
