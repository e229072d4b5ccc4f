import assert from 'node:assert/strict';
import { parseFieldPath } from './field-path-syntax.ts';
import { schemaFromJson } from './from-json.ts';

describe('parseFieldPath', () => {
  const schema = schemaFromJson({
    type: 'object',
    properties: {
      plain: { type: 'string' },
      'two words': { type: 'string' },
      "quoted's": { type: 'string' },
      'line\nfeed': { type: 'string' },
      'bell\u0007': { type: 'string' },
      'back\\slash': { type: 'string' },
      keyed: { type: 'object', additionalProperties: { type: 'string' } },
    },
  });
  const stepsOf = (path: string): string | readonly object[] => {
    const parsed = parseFieldPath(path, schema);
    return typeof parsed === 'string' ? parsed : parsed.steps;
  };

  it('follows fields and keys', () => {
    assert.deepEqual(stepsOf('.plain'), [{ name: 'plain', isKey: false }]);
    assert.deepEqual(stepsOf('.two words'), [{ name: 'two words', isKey: false }]);
    assert.deepEqual(stepsOf(".keyed['a.b']"), [
      { name: 'keyed', isKey: false },
      { name: 'a.b', isKey: true },
    ]);
  });

  it('resolves escapes inside quotes', () => {
    assert.deepEqual(stepsOf("['quoted\\'s']"), [{ name: "quoted's", isKey: false }]);
    assert.deepEqual(stepsOf("['line\\nfeed']"), [{ name: 'line\nfeed', isKey: false }]);
    assert.deepEqual(stepsOf("['bell\\a']"), [{ name: 'bell\u0007', isKey: false }]);
    assert.deepEqual(stepsOf("['back\\\\slash']"), [{ name: 'back\\slash', isKey: false }]);
  });

  it('knows no other escapes', () => {
    assert.equal(stepsOf("['\\plain']"), 'invalid string literal: invalid escape char \\p');
    assert.equal(stepsOf("['a\\\\\\.']"), 'invalid string literal: invalid escape char \\.');
  });

  it('reports the position of an error in a path', () => {
    assert.equal(stepsOf('.'), 'unexpected end of JSON path');
    assert.equal(stepsOf('plain'), 'expected [ or . but got: plain');
    assert.equal(stepsOf('.plain.more'), 'does not refer to a valid field');
    assert.equal(stepsOf('.plain[0]'), 'expected single quoted string but got 0');
  });
});
