import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepClone, type JsonValue } from '../../api/json.ts';
import { schemaFromJson } from '../from-json.ts';
import { prune } from '../prune.ts';
import { anyJson, resource } from '../testing/arbitraries.ts';
import { OPEN, check, mentions } from '../testing/checks.ts';
import { validateValue } from './validate.ts';

describe('validateValue with an old value (ratcheting)', () => {
  const spec = {
    type: 'object',
    properties: {
      a: { type: 'integer', maximum: 10 },
      b: { type: 'integer' },
      l: { type: 'array', items: { type: 'integer', maximum: 10 } },
      k: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, v: { type: 'integer', maximum: 10 } },
        },
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['name'],
      },
      m: { type: 'object', additionalProperties: { type: 'string', maxLength: 1 } },
      any: { type: 'integer', anyOf: [{ maximum: 10 }, { minimum: 100 }] },
    },
    required: ['b'],
  };
  const cases: [string, JsonValue, JsonValue, string[]][] = [
    ['a sibling changes', { a: 99, b: 1 }, { a: 99, b: 2 }, []],
    ['the value changes', { a: 99, b: 1 }, { a: 98, b: 1 }, ['Invalid f.a']],
    ['nothing changes next to a missing field', { a: 1 }, { a: 1 }, []],
    ['something changes next to a missing field', { a: 1 }, { a: 2 }, ['Required f.b']],
    ['an item of an atomic list', { b: 1, l: [1, 99] }, { b: 1, l: [2, 99] }, ['Invalid f.l[1]']],
    ['an atomic list stays', { b: 1, l: [1, 99] }, { b: 2, l: [1, 99] }, []],
    ['an entry of a map', { b: 1, m: { x: 'long' } }, { b: 1, m: { x: 'long', y: 'a' } }, []],
    ['an alternative', { b: 1, any: 50 }, { b: 2, any: 50 }, []],
    ['another failure', { b: 1, any: 50 }, { b: 1, any: 60 }, ['Invalid <nil>', 'Invalid f.any']],
    [
      'items of list type map belong together by key',
      {
        b: 1,
        k: [
          { name: 'x', v: 99 },
          { name: 'y', v: 1 },
        ],
      },
      {
        b: 1,
        k: [
          { name: 'y', v: 2 },
          { name: 'x', v: 99 },
        ],
      },
      [],
    ],
    [
      'a renamed item is new',
      { b: 1, k: [{ name: 'x', v: 99 }] },
      { b: 1, k: [{ name: 'z', v: 99 }] },
      ['Invalid f.k[0].v'],
    ],
    ['a type that has changed', { b: 'x' }, { b: 'x', a: 1 }, []],
  ];
  for (const [name, old, value, expected] of cases) {
    it(name, () => assert.deepEqual(check(spec, value, old), expected));
  }

  it('checks everything without an old value', () => {
    assert.deepEqual(check(spec, { a: 99, b: 1 }), ['Invalid f.a']);
  });

  it('does not take an object with fields of which nothing is known for unchanged', () => {
    const open = { type: 'object', ...OPEN, required: ['x'] };
    assert.deepEqual(check(open, { y: 1 }, { y: 1 }), ['Required f.x']);
  });

  it('ratchets inside alternatives by the structure around them', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      allOf: [{ properties: { a: { maxLength: 1 } } }],
    };
    assert.deepEqual(check(schema, { a: 'long', b: '2' }, { a: 'long', b: '1' }), []);
    assert.deepEqual(check(schema, { a: 'longer' }, { a: 'long' }), [
      'Invalid <nil>',
      'TooLong f.a',
    ]);
  });

  it('lets no error of an unchanged object through, for any JSON', () => {
    fc.assert(
      fc.property(resource, anyJson, (sample, junk) => {
        // unknown fields, and items without keys, do not correlate
        fc.pre(!mentions(sample.schema, 'preserve-unknown', 'list-map-keys'));
        const schema = schemaFromJson(sample.schema).child('spec')!;
        const value = { spec: junk };
        prune(value, schemaFromJson(sample.schema));
        assert.deepEqual(validateValue(value.spec, schema, { old: deepClone(value.spec) }), []);
      }),
      { numRuns: 300 },
    );
  });
});
