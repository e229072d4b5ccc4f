import assert from 'node:assert/strict';
import { atOnce } from '../../api/steps.ts';
import { definitionSteps } from './gnostic.ts';

describe('a definition in protobuf', () => {
  const properties = (count: number): Record<string, { type: string }> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string' }]));

  it('is written a thousand properties at a time, at any depth', () => {
    const large = { type: 'object', properties: properties(20_000) };
    for (const definition of [
      large,
      { type: 'object', properties: { spec: large } },
      { type: 'array', items: large },
      { type: 'object', additionalProperties: large },
    ]) {
      const steps = definitionSteps('large', definition);
      let count = 0;
      while (steps.next().done !== true) count++;
      assert.ok(count >= 20, String(count));
    }
  });

  it('has all of its properties, in their order', () => {
    const bytes = Buffer.from(atOnce(definitionSteps('large', { properties: properties(3_000) })));
    let at = -1;
    for (let i = 0; i < 3_000; i++) {
      // the length of the name stands before it
      const name = Buffer.from(`p${i}`);
      const found = bytes.indexOf(Buffer.concat([Buffer.from([name.length]), name]), at + 1);
      assert.ok(found > at, `p${i}`);
      at = found;
    }
  });
});
