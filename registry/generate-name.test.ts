import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateName } from './generate-name.ts';

const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('a generated name', () => {
  it('is its prefix and five characters, and a label whenever the prefix begins one (property)', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9-]{0,80}$/), fraction, (prefix, value) => {
        const name = generateName(prefix, () => value);
        assert.ok(name.length <= 63, name);
        assert.ok(name.startsWith(prefix.slice(0, 58)), name);
        assert.equal(name.length, Math.min(prefix.length, 58) + 5);
        assert.match(name, /[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      }),
    );
  });

  it('draws each character on its own', () => {
    const values = [0, 0.2, 0.4, 0.6, 0.999];
    let at = 0;
    assert.equal(generateName('web-', () => values[at++]!).length, 'web-'.length + 5);
    assert.equal(at, 5);
  });
});
