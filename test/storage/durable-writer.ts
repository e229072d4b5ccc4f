/**
 * A process that writes to an embedded store, one write at a time, and says on
 * its standard output when it asks and when it is answered.
 */
import { writeSync } from 'node:fs';
import type { Revision } from '../../api/revision.ts';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';

const [dir = '', count = '0'] = process.argv.slice(2);
const store = await openEmbeddedStore({ dir });
let revision: Revision | undefined;
for (let i = 0; i < Number(count); i++) {
  const value = Buffer.from(`value ${i}`);
  await acknowledged('create', () => store.create(`single/${i}`, value));
  await acknowledged('update', () => store.update(`single/${i}`, value, revision!));
  await acknowledged('delete', () => store.delete(`single/${i}`, revision!));
  await acknowledged('batch', () =>
    store.batch([
      { op: 'create', key: `batch/${i}/a`, value },
      { op: 'create', key: `batch/${i}/b`, value },
    ]),
  );
}
await store.close();

async function acknowledged(
  verb: string,
  write: () => Promise<{ outcome: string; revision?: Revision }>,
): Promise<void> {
  writeSync(1, `asks ${verb}\n`);
  const result = await write();
  if (result.outcome !== 'ok') throw new Error(`${verb}: ${result.outcome}`);
  revision = result.revision;
  writeSync(1, `answered ${verb}\n`);
}
