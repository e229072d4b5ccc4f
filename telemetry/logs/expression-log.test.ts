import assert from 'node:assert/strict';
import type { Logger } from 'pino';
import { publishMessageProblem } from '../../schema/rules/message-problems.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { logMessageProblems } from './expression-log.ts';

describe('log of messageExpressions', () => {
  it('logs each failing expression once a minute', async () => {
    const clock = new FakeClock();
    const lines: object[] = [];
    const log = { warn: (line: object) => lines.push(line) } as unknown as Logger;
    const stop = logMessageProblems(log, clock);
    for (let i = 0; i < 1_000; i++) publishMessageProblem('a', 'division by zero');
    publishMessageProblem('b', 'it returned an empty string');
    await clock.advance(60_000);
    publishMessageProblem('a', 'division by zero');
    stop();
    publishMessageProblem('c', 'division by zero');
    assert.deepEqual(lines, [
      { expression: 'a', why: 'division by zero', suppressed: 0 },
      { expression: 'b', why: 'it returned an empty string', suppressed: 0 },
      { expression: 'a', why: 'division by zero', suppressed: 999 },
    ]);
  });
});
