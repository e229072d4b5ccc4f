import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { JsonValue } from '../../api/json.ts';
import { yamlText } from './yaml-text.ts';

describe('YAML of documents', () => {
  it('reads like what people write', () => {
    const text = yamlText({ kind: 'A', items: [{ a: 1, b: [] }, ['x', 'yes']], none: {} });
    assert.equal(
      text,
      ['kind: A', 'items:', '- a: 1', '  b: []', '- - x', '  - "yes"', 'none: {}', ''].join('\n'),
    );
  });

  it('means what the JSON means, to every version of YAML', () => {
    const key = fc.string().filter((k) => k !== '__proto__');
    const value = fc.letrec<{ any: JsonValue }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.constantFrom('yes', 'No', 'null', '~', '1e3', '0x1', '-', '? a', 'a: b', '#c', ''),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any')),
        fc.dictionary(key, tie('any'), { noNullPrototype: true }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (json) => {
        const text = yamlText(json);
        const expected = JSON.parse(JSON.stringify(json)) as unknown;
        assert.deepEqual(parse(text), expected);
        assert.deepEqual(parse(text, { version: '1.1' }), expected);
      }),
    );
  });
});
