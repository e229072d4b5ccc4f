import assert from 'node:assert/strict';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { LOG_PATIENCE_MS, logOutput } from './log-output.ts';

describe('the output of the log', () => {
  it('is blocked when a line waits for too long, until something is written', async () => {
    const clock = new FakeClock();
    const lines: string[] = [];
    let written: () => void = () => undefined;
    const { stream, isBlocked } = logOutput(clock, {
      write: (line) => void lines.push(line),
      flush: (done) => done?.(),
      on: (_event, listener) => void (written = listener),
    });
    await clock.advance(LOG_PATIENCE_MS * 2);
    assert.equal(isBlocked(), false, 'nothing was logged');
    stream.write('a');
    await clock.advance(LOG_PATIENCE_MS);
    assert.equal(isBlocked(), false);
    stream.write('b');
    await clock.advance(1);
    assert.equal(isBlocked(), true);
    assert.deepEqual(lines, ['a', 'b']);
    written();
    assert.equal(isBlocked(), false);
  });
});
