import assert from 'node:assert/strict';
import { notFound } from '../api/api-error.ts';
import { testExchange } from '../wire/testing.ts';
import { framed, type Answer, type Frame } from './exchange.ts';
import { EMPTY_BODY, type ApiResponse } from './message.ts';

const ANSWER: ApiResponse = { status: 200, headers: {}, body: EMPTY_BODY };

/** What a frame is told of a request that is answered so. */
async function toldOf(answer: () => Answer): Promise<string[]> {
  const told: string[] = [];
  const frame = (name: string): Frame => ({
    name,
    enter: () => told.push(`${name} enters`),
    leave: (_exchange, response) => {
      told.push(`${name} leaves`);
      return response;
    },
    fail: () => told.push(`${name} fails`),
  });
  const stage = framed([frame('outer'), frame('inner')]);
  const handle = async (): Promise<ApiResponse> => stage.handle(testExchange(), answer);
  await handle().catch(() => told.push('thrown'));
  return told;
}

describe('frames around the pipeline', () => {
  it('treat an immediate answer like one that arrives later', async () => {
    const expected = ['outer enters', 'inner enters', 'inner leaves', 'outer leaves'];
    assert.deepEqual(await toldOf(() => ANSWER), expected);
    assert.deepEqual(await toldOf(() => Promise.resolve(ANSWER)), expected);
  });

  it('treat an immediate error like one that arrives later', async () => {
    const refusal = notFound({ group: '', resource: 'things' }, 'a');
    const expected = ['outer enters', 'inner enters', 'inner fails', 'outer fails', 'thrown'];
    const atOnce = (): never => {
      throw refusal;
    };
    assert.deepEqual(await toldOf(atOnce), expected);
    assert.deepEqual(await toldOf(() => Promise.reject(refusal)), expected);
  });

  it('hand on an answer that is there without a promise', () => {
    const frame = { name: 'frame', leave: (_: unknown, response: ApiResponse) => response };
    assert.equal(
      framed([frame]).handle(testExchange(), () => ANSWER),
      ANSWER,
    );
  });
});
