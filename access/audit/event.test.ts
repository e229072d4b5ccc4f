import assert from 'node:assert/strict';
import { turnsUntil } from '../../test/support/turns-until.ts';
import { auditEvent } from './event.ts';
import type { EventParts } from './event-parts.ts';

/** An update of a ConfigMap that is kept with its answer. */
function parts(body: string): EventParts {
  const bytes = Buffer.from(body);
  return {
    exchange: {
      request: {
        rawPath: '/api/v1/namespaces/default/configmaps/a',
        query: new URLSearchParams(),
        headers: {},
        rawHeaders: [],
        peer: { address: '127.0.0.1' },
      },
      info: { isResource: false, verb: 'update' },
      annotations: new Map(),
    },
    decision: { level: 'RequestResponse', omitManagedFields: false },
    stage: 'ResponseComplete',
    receivedAt: 0,
    now: 0,
    requestBody: bytes,
    responseBody: { contentType: 'application/json', isCompressed: false, bytes },
  } as unknown as EventParts;
}

/** So few members that it is read at once. */
const object = (length: number): string =>
  JSON.stringify(
    Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`k${i}`, '0'.repeat(length)])),
  );

describe('audit events with objects', () => {
  it('are written over several turns of the event loop when they are large', async () => {
    const text = object(500);
    const [event, turns] = await turnsUntil(Promise.resolve(auditEvent(parts(text))));
    assert.ok(turns >= 2, `${turns} turns`);
    const { requestObject, responseObject } = JSON.parse(event.text);
    assert.equal(JSON.stringify(requestObject), text);
    assert.equal(JSON.stringify(responseObject), text);
  });

  it('are written at once when they are small', async () => {
    const [event, turns] = await turnsUntil(Promise.resolve(auditEvent(parts('{"a":1}'))));
    assert.equal(turns, 0);
    assert.deepEqual(JSON.parse(event.text).requestObject, { a: 1 });
  });
});
