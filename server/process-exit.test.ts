import assert from 'node:assert/strict';
import { FlagError } from '../config/command-line.ts';
import { ProcessExit } from './process-exit.ts';

/** A process that notes what happens to it. */
class Recorded {
  readonly events: string[] = [];
  readonly exit: ProcessExit;
  /** Resolves with the first exit or kill. */
  readonly ended: Promise<void>;

  constructor(timeoutMs?: number) {
    let end = (): void => undefined;
    this.ended = new Promise((resolve) => (end = resolve));
    const note = (event: string): void => {
      this.events.push(event);
      if (/^(exit|kill)/.test(event)) end();
    };
    const port = {
      exit: (code: number) => note(`exit ${code}`),
      kill: () => note('kill'),
      writeError: (text: string) => note(text),
    };
    this.exit = new ProcessExit(port, timeoutMs);
  }

  store(close: () => Promise<void> = () => Promise.resolve()): Promise<{ close(): Promise<void> }> {
    return Promise.resolve({
      close: () => {
        this.events.push('close');
        return close();
      },
    });
  }
}

describe('the end of the process', () => {
  it('closes the store before it exits, and tells why in one line', async () => {
    const process = new Recorded();
    process.exit.holds(process.store());
    await process.exit.fail(new Error('the port is taken\nin detail'));
    assert.deepEqual(process.events, ['plinth: the port is taken\n', 'close', 'exit 1']);
  });

  it('waits for a store that is still opening', async () => {
    const process = new Recorded();
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    process.exit.holds(opened.then(() => process.store()));
    const end = process.exit.end(0);
    assert.deepEqual(process.events, []);
    open();
    await end;
    assert.deepEqual(process.events, ['close', 'exit 0']);
  });

  it('exits even when the store does not close in time', async () => {
    const process = new Recorded(1);
    process.exit.holds(process.store(() => new Promise<void>(() => undefined)));
    void process.exit.end(0);
    await process.ended;
    assert.deepEqual(process.events, [
      'close',
      'plinth: the store did not close in time\n',
      'kill',
    ]);
  });

  it('happens once, and ignores later errors', async () => {
    const process = new Recorded();
    process.exit.holds(process.store());
    const end = process.exit.end(0);
    await process.exit.fail(new Error('the store is closed'));
    await process.exit.crash(new Error('a loop lost its store'));
    await end;
    assert.deepEqual(process.events, ['close', 'exit 0']);
  });

  it('uses the exit code of a flag that is wrong, also when the store did not open', async () => {
    const process = new Recorded();
    process.exit.holds(Promise.reject(new Error('no such store')));
    await process.exit.fail(new FlagError('unknown flag', 2));
    assert.deepEqual(process.events, ['plinth: unknown flag\n', 'exit 2']);
  });

  it('prints the stack of a broken invariant', async () => {
    const process = new Recorded();
    await process.exit.crash(new Error('broken'));
    assert.match(process.events[0]!, /^plinth: internal error: Error: broken\n +at /);
    assert.equal(process.events[1], 'exit 1');
  });
});
