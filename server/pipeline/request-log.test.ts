import assert from 'node:assert/strict';
import { pino } from 'pino';
import { unauthorized } from '../../api/api-error.ts';
import { SYSTEM_USER, type UserInfo } from '../../api/user.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { testExchange } from '../../wire/testing.ts';
import { requestLogFrame } from './request-log.ts';

const ANONYMOUS: UserInfo = {
  ...SYSTEM_USER,
  name: 'system:anonymous',
  groups: ['system:unauthenticated'],
};

function setUp() {
  const clock = new FakeClock();
  const lines: any[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line));
  const frame = requestLogFrame(pino({}, { write }), clock);
  const requests = (count: number, status: number, user?: UserInfo, target = '/api'): void => {
    for (let i = 0; i < count; i++) {
      const exchange = testExchange({ target });
      exchange.user = user;
      if (status === 401) exchange.failure = unauthorized();
      frame.leave?.(exchange, { status, headers: {}, body: Buffer.alloc(0) });
    }
  };
  return { clock, lines, requests };
}

describe('lines about requests', () => {
  it('without valid credentials are few, and tell how many were left out', async () => {
    const { clock, lines, requests } = setUp();
    requests(700, 401);
    requests(200, 403, ANONYMOUS);
    requests(100, 500, ANONYMOUS);
    assert.equal(lines.length, 100);
    await clock.advance(1_000);
    requests(50, 401);
    assert.equal(lines.length, 110);
    const leftOut = (line: { leftOut?: number }): number => line.leftOut ?? 0;
    assert.deepEqual(lines.slice(0, 102).map(leftOut), [...Array(100).fill(0), 900, 0]);
  });

  it('with valid credentials are never left out', () => {
    const { lines, requests } = setUp();
    requests(500, 200, SYSTEM_USER);
    assert.equal(lines.length, 500);
  });

  it('are short, whatever the client sends', () => {
    const { lines, requests } = setUp();
    for (const target of [
      `/${'x'.repeat(10_000)}`,
      `/api/v1/namespaces/${'n'.repeat(9_000)}/pods/${'x'.repeat(9_000)}/${'s'.repeat(9_000)}`,
      `/apis/${'g'.repeat(9_000)}/v1/things`,
    ]) {
      requests(1, 404, SYSTEM_USER, target);
    }
    for (const line of lines) assert.ok(JSON.stringify(line).length < 2_000);
  });
});
