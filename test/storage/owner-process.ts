import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const PROGRAM = join(import.meta.dirname, 'shared-owner.ts');

/** The process that owns the store of a directory, which can be killed and started again. */
export class OwnerProcess {
  readonly #args: readonly string[];
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined;

  constructor(dir: string, maxBytes?: number) {
    this.#args = maxBytes === undefined ? [dir] : [dir, String(maxBytes)];
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  async start(): Promise<void> {
    const args = ['--import=tsx', PROGRAM, ...this.#args];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    const [text] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    assert.equal(String(text), 'ready\n');
  }

  async kill(): Promise<void> {
    const ended = once(this.#child!, 'exit');
    this.#child!.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child!, 'exit');
    this.#child!.stdin.end();
    assert.deepEqual(await ended, [0, null]);
  }
}
