import assert from 'node:assert/strict';
import { pino } from 'pino';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { FailureLog } from './failure-log.ts';

describe('the log of failed health checks', () => {
  it('has one line for each check in ten seconds, however many probes ask', async () => {
    const clock = new FakeClock();
    const lines: unknown[] = [];
    const log = pino(
      { base: null, timestamp: false, level: 'warn' },
      {
        write: (line: string) => void lines.push(JSON.parse(line)),
      },
    );
    const failures = new FailureLog(log, clock);
    const probe = (times: number): void => {
      for (let i = 0; i < times; i++) failures.failed('livez', 'etcd', new Error('away'));
    };
    probe(10_000);
    failures.failed('livez', 'log', new Error('blocked'));
    assert.equal(lines.length, 2);
    await clock.advance(10_000);
    probe(3);
    const line = { level: 40, endpoint: 'livez', msg: 'unhealthy' };
    assert.deepEqual(lines, [
      { ...line, name: 'etcd', reason: 'away', repeats: 0 },
      { ...line, name: 'log', reason: 'blocked', repeats: 0 },
      { ...line, name: 'etcd', reason: 'away', repeats: 9_999 },
    ]);
  });
});
