/** A process that reads one state of a shared store, and never ends. */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { Environment } from '../../storage/embedded/environment.ts';
import { openSharedStore } from '../../storage/shared/open.ts';

const [dir = ''] = process.argv.slice(2);
await openSharedStore({ dir });
const environment = new Environment(join(dir, 'store.mdb'), 2 ** 30, { readOnly: true });
await environment.snapshot(async (transaction) => {
  environment.tables.meta.get(Buffer.from('revision'), { transaction });
  writeSync(1, 'reads\n');
  await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
});
