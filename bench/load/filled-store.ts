import type { ApiObject } from '../../api/object.ts';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import type { Store } from '../../storage/interface.ts';
import { encodeStored } from '../../storage/stored-bytes.ts';

/** Writes under way at one time. */
const AT_ONCE = 2_000;

/** Objects of one kind for a store. */
interface Objects {
  /** `<group>/<resource>/`. */
  readonly prefix: string;
  readonly count: number;
  readonly make: (i: number) => ApiObject;
}

/** Writes objects into a store that no server has open; returns the bytes of their values. */
async function fillStore(store: Store, { prefix, count, make }: Objects): Promise<number> {
  let bytes = 0;
  for (let from = 0; from < count; from += AT_ONCE) {
    const writes = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => {
      const object = make(from + i);
      const { namespace, name } = object.metadata;
      const value = encodeStored(object);
      bytes += value.length;
      return store.create(`${prefix}${namespace ?? ''}/${name ?? ''}`, value);
    });
    await Promise.all(writes);
  }
  return bytes;
}

/** The same in the embedded store of a data directory. */
export async function fillDirectory(dataDir: string, kinds: readonly Objects[]): Promise<number> {
  const store = await openEmbeddedStore({ dir: `${dataDir}/store` });
  let bytes = 0;
  try {
    for (const objects of kinds) bytes += await fillStore(store, objects);
  } finally {
    await store.close();
  }
  return bytes;
}
