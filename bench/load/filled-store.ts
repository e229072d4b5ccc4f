import type { ApiObject } from '../../api/object.ts';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import { openEtcdStore } from '../../storage/etcd/open.ts';
import type { Store } from '../../storage/interface.ts';
import { encodeStored } from '../../storage/stored-bytes.ts';

/** Writes under way at one time. */
const AT_ONCE = 2_000;
/** Objects of one write to etcd: a write of its own for each would take minutes for a million. */
const BATCH = 100;
/** So many of the last are written one by one on etcd: what a server reads of the log at its start. */
const ONE_BY_ONE = 20_000;

/** Objects of one kind for a store. */
interface Objects {
  /** `<group>/<resource>/`. */
  readonly prefix: string;
  readonly count: number;
  readonly make: (i: number) => ApiObject;
}

/** Writes objects into a store that no server has open; returns the bytes of their values. */
async function fillStore(
  store: Store,
  { prefix, count, make }: Objects,
  batched: number,
): Promise<number> {
  let bytes = 0;
  const written = (i: number): { key: string; value: Buffer } => {
    const object = make(i);
    const { namespace, name } = object.metadata;
    const value = encodeStored(object);
    bytes += value.length;
    return { key: `${prefix}${namespace ?? ''}/${name ?? ''}`, value };
  };
  for (let from = 0; from < count; from += AT_ONCE) {
    const writes: Promise<unknown>[] = [];
    for (let i = from; i < Math.min(from + AT_ONCE, count);) {
      if (i + BATCH <= batched) {
        const operations = Array.from({ length: BATCH }, () => {
          return { op: 'create' as const, ...written(i++) };
        });
        writes.push(store.batch(operations));
      } else {
        const { key, value } = written(i++);
        writes.push(store.create(key, value));
      }
    }
    await Promise.all(writes);
  }
  return bytes;
}

/** The same in the embedded store of a data directory. */
export async function fillDirectory(dataDir: string, kinds: readonly Objects[]): Promise<number> {
  return filled(await openEmbeddedStore({ dir: `${dataDir}/store` }), kinds, () => 0);
}

/** The same in an etcd. */
export async function fillEtcd(url: string, kinds: readonly Objects[]): Promise<number> {
  const store = await openEtcdStore({ endpoints: [url] });
  return filled(store, kinds, ({ count }) => count - ONE_BY_ONE);
}

async function filled(
  store: Store,
  kinds: readonly Objects[],
  batchedOf: (objects: Objects) => number,
): Promise<number> {
  let bytes = 0;
  try {
    for (const objects of kinds) bytes += await fillStore(store, objects, batchedOf(objects));
  } finally {
    await store.close();
  }
  return bytes;
}
