import assert from 'node:assert/strict';
import { turnsUntil } from '../../test/support/turns-until.ts';
import { objectsOf } from './event-objects.ts';
import type { EventParts } from './event-parts.ts';

function parts(body: string, contentType: string): EventParts {
  return {
    exchange: { request: { headers: { 'content-type': contentType } } },
    decision: { omitManagedFields: false },
    requestBody: Buffer.from(body),
    responseBody: undefined,
  } as unknown as EventParts;
}

describe('objects of audit events', () => {
  const fields = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])));

  it('are read over several turns of the event loop when they are large', async () => {
    const text = fields(20_000);
    const [{ objects, isWhole }, turns] = await turnsUntil(
      objectsOf(parts(text, 'application/json')),
    );
    assert.equal(JSON.stringify(objects['requestObject']), text);
    assert.equal(isWhole, true);
    assert.ok(turns >= 5, `${turns} turns`);
  });

  it('are read at once when they are small, in JSON and in YAML', async () => {
    for (const [text, type] of [
      ['{"a":1}', 'application/json'],
      ['a: 1', 'application/yaml'],
    ] as const) {
      const [{ objects }, turns] = await turnsUntil(objectsOf(parts(text, type)));
      assert.deepEqual(objects, { requestObject: { a: 1 } });
      assert.equal(turns, 0);
    }
  });

  it('omit bodies that cannot be parsed', async () => {
    for (const text of ['', '{', '{"a":1}}']) {
      assert.deepEqual((await objectsOf(parts(text, 'application/json'))).objects, {});
    }
  });
});
