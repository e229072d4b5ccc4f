import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { freePorts, onFreePorts } from './ports.ts';

const MANY = 40;
/** Asks for the ports that this process was given, as a process that begins at the same port would. */
const OTHER = `
Object.defineProperty(process, 'pid', { value: ${process.pid} });
const { freePorts } = await import('./test/support/ports.ts');
console.log((await freePorts(${MANY})).join(' '));
`;

describe('ports for tests', () => {
  it('are given to one process only while it runs', async () => {
    const own = await freePorts(MANY);
    assert.equal(new Set(own).size, MANY);
    const args = ['--import=tsx', '--input-type=module', '-e', OTHER];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const others = stdout.trim().split(' ').map(Number);
    assert.equal(others.length, MANY);
    assert.deepEqual(
      others.filter((port) => own.includes(port)),
      [],
    );
  });

  it('are others when a program has taken one before the start', async () => {
    const tried: number[] = [];
    const server = await onFreePorts(async () => {
      const [port] = await freePorts(1);
      tried.push(port!);
      // the first is taken at the last moment
      if (tried.length === 1) {
        const taker = createServer().listen(port, '127.0.0.1');
        await once(taker, 'listening');
        taker.unref();
      }
      const own = createServer().listen(port, '127.0.0.1');
      await once(own, 'listening');
      return own;
    });
    server.close();
    assert.equal(new Set(tried).size, 2);
  });

  it('are not chosen again after another failure', async () => {
    let starts = 0;
    const start = (): Promise<never> => Promise.reject(new Error(`it failed at start ${++starts}`));
    await assert.rejects(onFreePorts(start), /it failed at start 1/);
  });
});
