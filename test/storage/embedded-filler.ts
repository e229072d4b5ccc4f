/**
 * Fills an embedded store until the disk takes no more (the parent limits the
 * size of files), and says on standard output what then still works, as JSON.
 */
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import { isStoreError } from '../../storage/errors.ts';
import type { StoredItem } from '../../storage/interface.ts';

const [dir = ''] = process.argv.slice(2);
const unhandled: string[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(String(reason)));

const store = await openEmbeddedStore({ dir });
const stored = new Set<string>();
const refusals = new Set<string>();
const value = Buffer.alloc(3_000, 'x');

async function fill(writer: number): Promise<void> {
  for (let i = 0; refusals.size === 0 && i < 10_000; i++) {
    const key = `k/${writer}-${i}`;
    try {
      await store.create(key, value);
      stored.add(key);
    } catch (error) {
      refusals.add(isStoreError(error) ? error.code : String(error));
    }
  }
}

async function outcomeOf(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
    return 'ok';
  } catch (error) {
    return isStoreError(error) ? error.code : String(error);
  }
}

await Promise.all(Array.from({ length: 16 }, (_, writer) => fill(writer)));
const { items } = await store.list({ prefix: 'k/' });
const lost = [...stored].filter((key) => !items.some((item) => item.key === key));
const foreign = items.filter(({ key }) => !stored.has(key)).map(({ key }) => key);
const deletes: string[] = [];
for (const item of items.slice(0, 200)) deletes.push(await outcomeOf(() => remove(item)));
const compacted = await outcomeOf(async () => store.compact(await store.currentRevision()));
// Clearing away goes on by itself; room comes back with it.
let again = 'never';
for (let attempt = 0; attempt < 200 && again !== 'ok'; attempt++) {
  again = await outcomeOf(() => store.create(`again/${attempt}`, value));
  await new Promise((resolve) => setTimeout(resolve, 20));
}
await store.close();
const report = { stored: stored.size, refusals: [...refusals], lost, foreign, compacted, again };
process.stdout.write(JSON.stringify({ ...report, deletes: [...new Set(deletes)], unhandled }));

async function remove(item: StoredItem): Promise<void> {
  const { outcome } = await store.delete(item.key, item.revision);
  if (outcome !== 'ok') throw new Error(outcome);
}
