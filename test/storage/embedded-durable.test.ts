import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const WRITER = join(import.meta.dirname, 'durable-writer.ts');
const ROUNDS = 10;
const CALLS = 'openat,write,pwrite64,pwritev,writev,fsync,fdatasync,msync';

/** What matters for a power cut, in the order in which the kernel has finished it. */
type Step = 'asks' | 'answered' | 'data' | 'synced' | 'head';

/** Reads the trace of strace -f -y: a call that is interrupted by another thread counts where it ends. */
function stepsOf(trace: string): Step[] {
  const steps: Step[] = [];
  const begun = new Map<string, string>();
  // LMDB writes the head of the database through a descriptor of its own that syncs each write
  let head: string | undefined;
  for (const line of trace.split('\n')) {
    const thread = /^\d+/.exec(line)?.[0] ?? '';
    if (line.endsWith('<unfinished ...>')) {
      begun.set(thread, line);
      continue;
    }
    const call = line.includes(' resumed>') ? (begun.get(thread) ?? '') + line : line;
    const opened = /store\.mdb", [^)]*O_DSYNC[^)]*\) *= (\d+)</.exec(call)?.[1];
    head = opened ?? head;
    const [, name = '', descriptor = '', file = ''] =
      /^\d+ +(\w+)\((\d+)<([^>]*)>/.exec(call) ?? [];
    if (descriptor === '1') {
      const word = /"(asks|answered) /.exec(call)?.[1];
      if (word !== undefined) steps.push(word as Step);
    } else if (!file.endsWith('/store.mdb')) {
      continue;
    } else if (name.includes('sync')) {
      if (/\) *= 0$/.test(call.trim())) steps.push('synced');
    } else {
      steps.push(descriptor === head ? 'head' : 'data');
    }
  }
  return steps;
}

// Only Linux shows what a process asks of its disk without being root.
if (process.platform === 'linux') {
  describe('embedded: a power cut', () => {
    let dir: string;
    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), 'plinth-durable-'));
    });
    afterEach(() => rm(dir, { recursive: true }));

    it('G10: a write is answered only after its bytes, and then its head, are on the disk', async function () {
      const trace = join(dir, 'trace');
      const strace = ['-f', '-y', '-o', trace, '-e', `trace=${CALLS}`];
      const writer = [process.execPath, '--import=tsx', WRITER, join(dir, 'store')];
      await run('strace', [...strace, ...writer, String(ROUNDS)]);
      const steps = stepsOf(await readFile(trace, 'utf8'));
      const writes = steps.join(' ').split('asks').slice(1);
      assert.equal(writes.length, 4 * ROUNDS);
      // the store may commit something of its own before or after
      for (const write of writes) assert.match(write, /data synced head (?:.* )?answered/);
    });
  });
}
