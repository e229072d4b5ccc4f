/** A process that writes one key to a shared store when it is told to, and makes a file when that is answered. */
import { once } from 'node:events';
import { writeFileSync, writeSync } from 'node:fs';
import { openSharedStore } from '../../storage/shared/open.ts';

const [dir = '', key = '', marker = ''] = process.argv.slice(2);
const store = await openSharedStore({ dir });
writeSync(1, 'ready\n');
await once(process.stdin, 'data');
await store.create(key, Buffer.from(key));
writeFileSync(marker, '');
await store.close();
process.stdin.destroy();
