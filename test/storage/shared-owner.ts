/**
 * The process that owns an embedded store. It says `ready` on its standard output
 * when others can write, and ends in order at the end of its standard input.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { openOwner } from '../../storage/shared/owner.ts';

const [dir = '', maxBytes] = process.argv.slice(2);
const owner = await openOwner(
  maxBytes === undefined ? { dir } : { dir, maxBytes: Number(maxBytes) },
);
writeSync(1, 'ready\n');
process.stdin.resume();
await once(process.stdin, 'end');
await owner.close();
