import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseStoredJson } from '../../api/json-parse.ts';
import type { Store, StoredItem } from '../interface.ts';
import { pagesOf } from '../pages-of.ts';
import type { CheckReport } from './check-messages.ts';
import { openEmbeddedStore } from './open.ts';

/** Values that are encrypted at rest begin so; what they hold is not known here. */
const ENCRYPTED = Buffer.from('k8s:enc:');

/**
 * Reads every object of the store in a directory, which no server may use, and
 * removes those that cannot be read when that is asked for.
 *
 * @throws StoreError whose message is one line for the operator
 */
export async function checkObjects(
  directory: string,
  { remove }: { remove: boolean },
): Promise<CheckReport> {
  const store = await openEmbeddedStore({ dir: directory });
  try {
    const report = await check(store);
    if (remove) for (const { key, revision } of report.damaged) await store.delete(key, revision);
    return report;
  } finally {
    await store.close();
  }
}

async function check(store: Store): Promise<CheckReport> {
  const damaged: CheckReport['damaged'][number][] = [];
  let objects = 0;
  for await (const page of pagesOf(store)) {
    objects += page.length;
    for (const item of page) {
      if (!isReadable(item)) damaged.push({ key: item.key, revision: item.revision });
    }
    await nextTurn();
  }
  return { objects, damaged };
}

function isReadable({ value }: StoredItem): boolean {
  if (value.subarray(0, ENCRYPTED.length).equals(ENCRYPTED)) return true;
  try {
    parseStoredJson(value);
    return true;
  } catch {
    return false;
  }
}
