import assert from 'node:assert/strict';
import { ApiError, badRequest } from '../../api/api-error.ts';
import { FakeClock, settle } from '../../test/support/fake-clock.ts';
import type { ApiResponse } from '../../http/message.ts';
import type { Answer } from '../../http/exchange.ts';
import { testExchange } from '../../wire/testing.ts';
import { deadlineStage } from './deadline.ts';

const LIMIT_MS = 60_000;
const ANSWER: ApiResponse = { status: 200, headers: {}, body: Buffer.alloc(0) };

async function deadlineOf(timeout: string): Promise<number> {
  const clock = new FakeClock();
  const exchange = testExchange({ target: `/version?timeout=${encodeURIComponent(timeout)}` });
  await deadlineStage(clock, LIMIT_MS, () => undefined).handle(exchange, () =>
    Promise.resolve(ANSWER),
  );
  return (exchange.deadline ?? 0) - clock.monotonic();
}

describe('the deadline of a request', () => {
  it('is what the client says, up to the limit', async () => {
    const spans: Record<string, number> = {
      '5s': 5_000,
      '1m30s': LIMIT_MS,
      '1.5s': 1_500,
      '.5s': 500,
      '+2s': 2_000,
      '250ms': 250,
      '100h': LIMIT_MS,
    };
    for (const [text, ms] of Object.entries(spans)) assert.equal(await deadlineOf(text), ms, text);
  });

  it('is the limit for values that are not a duration', async () => {
    for (const text of ['', '0', '-0', '0s', '-5s', '-1h30m']) {
      assert.equal(await deadlineOf(text), LIMIT_MS, text);
    }
  });

  it('must be a duration', async () => {
    for (const text of ['10', 'soon', '5', '1s2', '-', 's', '1 s', '.s', '1..5s', '--5s']) {
      const isRefused = (error: unknown): boolean =>
        error instanceof ApiError && error.code === 400;
      await assert.rejects(async () => deadlineOf(text), isRefused, text);
    }
  });

  it('passes only when the answer is late', async () => {
    const refusal = badRequest('no');
    const outcomes: Record<string, [() => Answer, number]> = {
      'no answer': [() => new Promise(() => undefined), 1],
      'an answer': [() => Promise.resolve(ANSWER), 0],
      'an answer at once': [() => ANSWER, 0],
      'a refusal': [() => Promise.reject(refusal), 0],
      'a refusal at once': [() => refuse(refusal), 0],
    };
    for (const [what, [next, expected]] of Object.entries(outcomes)) {
      const clock = new FakeClock();
      let passed = 0;
      const stage = deadlineStage(clock, LIMIT_MS, () => {
        passed++;
      });
      const settled = Promise.allSettled([attempt(async () => stage.handle(testExchange(), next))]);
      await settle();
      await clock.advance(LIMIT_MS);
      await settled;
      assert.equal(passed, expected, what);
    }
  });
});

function refuse(error: Error): never {
  throw error;
}

// As the stage that makes answers of failures calls the others.
async function attempt(handle: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return handle();
}
