/**
 * A process that writes to an embedded store until it is killed. Each line on
 * its standard output is written after the fact: `ok <id> <revision> <kind> <key>`.
 */
import { writeSync } from 'node:fs';
import type { Revision } from '../../api/revision.ts';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import type { BatchOperation } from '../../storage/interface.ts';

const WRITERS = 16;
const KEYS = 40;

const [dir = '', session = '0'] = process.argv.slice(2);
const store = await openEmbeddedStore({ dir });
let counter = 0;
say('ready');

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

async function write(writer: number): Promise<never> {
  for (let i = 0; ; i++) {
    const key = `w${writer}/${i % KEYS}`;
    const id = `${session}.${++counter}`;
    const { item } = await store.get(key);
    if (i % 50 === 49 && writer === 0) await store.compact(await store.currentRevision());
    if (item === undefined) {
      const ttl = i % 10 === 0 ? { ttlSeconds: 3_600 } : {};
      report(id, 'put', key, await store.create(key, valueOf(id), ttl));
    } else if (i % 7 === 0) {
      report(id, 'delete', key, await store.delete(key, item.revision));
    } else if (i % 5 === 0) {
      const operations: BatchOperation[] = [
        { op: 'update', key, value: valueOf(id), expected: item.revision },
        { op: 'create', key: `${key}/b/${id}`, value: valueOf(id) },
        { op: 'create', key: `${key}/c/${id}`, value: valueOf(id) },
      ];
      report(id, 'batch', key, await store.batch(operations));
    } else {
      report(id, 'put', key, await store.update(key, valueOf(id), item.revision));
    }
  }
}

/** Sizes around those at which LMDB stores values in other ways. */
function valueOf(id: string): Buffer {
  const size = [20, 600, 2_100, 9_000][counter % 4] ?? 20;
  return Buffer.from(`${id} `.padEnd(size, 'x'));
}

function report(
  id: string,
  kind: string,
  key: string,
  outcome: { outcome: string; revision?: Revision },
): void {
  if (outcome.outcome === 'ok') say(`ok ${id} ${outcome.revision ?? 0n} ${kind} ${key}`);
}
