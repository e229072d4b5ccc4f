import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonValue } from '../../api/json.ts';
import { parseJson } from '../../api/json-parse.ts';
import { canonicalElement, compareElements, keyElement, valueElement } from './field-element.ts';
import type { FieldSet } from './field-set.ts';
import { pathTexts } from './fields-v1-at-once.ts';
import { readFieldsV1 } from './fields-v1-at-once.ts';

const read = (text: string): FieldSet | undefined => readFieldsV1(parseJson(text).value);

describe('FieldsV1', () => {
  it('writes keys and values as kube-apiserver does', () => {
    assert.equal(keyElement([['name', 'web']]), 'k:{"name":"web"}');
    assert.equal(
      keyElement([
        ['port', 80],
        ['protocol', 'TCP'],
      ]),
      'k:{"port":80,"protocol":"TCP"}',
    );
    assert.equal(keyElement([['name', null]]), 'k:{"name":null}');
    assert.equal(valueElement('example.com/x'), 'v:"example.com/x"');
    assert.equal(valueElement('quo"te'), 'v:"quo\\"te"');
    assert.equal(valueElement('back\\slash'), 'v:"back\\\\slash"');
    assert.equal(valueElement('a<b>&c'), 'v:"a\\u003cb\\u003e\\u0026c"');
    assert.equal(valueElement(1.5), 'v:1.5');
    assert.equal(valueElement(1e-7), 'v:1e-07');
    assert.equal(valueElement([1.5e-9, 1e-10, 1e21]), 'v:[1.5e-09,1e-10,1e+21]');
    assert.equal(valueElement(9223372036854775807n), 'v:9223372036854775807');
    assert.equal(valueElement(true), 'v:true');
    assert.equal(valueElement({ b: 1, a: [2] }), 'v:{"a":[2],"b":1}');
  });

  it('brings other spellings of an element into the one form', () => {
    assert.deepEqual(read('{"k:{\\"b\\":1, \\"a\\":\\"x<\\"}":{}}'), {
      'k:{"a":"x\\u003c","b":1}': {},
    });
    assert.deepEqual(read('{"v: 1.0":{},"i:+07":{}}'), { 'v:1': {}, 'i:7': {} });
    assert.deepEqual(read('{"f:a":{".":{}}}'), { 'f:a': {} });
    assert.deepEqual(read('{"f:a":null}'), { 'f:a': {} });
  });

  it('drops elements of a kind that it does not know', () => {
    assert.deepEqual(read('{"f:a":{"x:new":{},"f:b":{}},"z:1":{}}'), { 'f:a': { 'f:b': {} } });
  });

  it('takes what is missing as the empty set', () => {
    assert.deepEqual(readFieldsV1(undefined), {});
    assert.deepEqual(readFieldsV1(null), {});
  });

  for (const text of [
    '"spec"',
    '[]',
    '1',
    '{"f":{}}',
    '{"spec":{}}',
    '{"":{}}',
    '{"f:a":"x"}',
    '{"f:a":{"b":{}}}',
    '{"k:name":{}}',
    '{"k:[1]":{}}',
    '{"v:":{}}',
    '{"i:x":{}}',
    '{"v:{}}":{}}',
  ]) {
    it(`refuses ${text}`, () => assert.equal(read(text), undefined));
  }

  it('takes __proto__ for a field like any other', () => {
    assert.equal(JSON.stringify(read('{"f:__proto__":{"f:x":{}}}')), '{"f:__proto__":{"f:x":{}}}');
    assert.equal(read('{"__proto__":{}}'), undefined);
  });

  it('orders fields, keys, values and places, each by content', () => {
    const elements = [
      'v:2',
      'i:1',
      'k:{"port":443}',
      'f:b',
      'v:"a"',
      'v:10',
      'k:{"port":80}',
      'f:a',
      'v:true',
      'v:null',
      'v:[2]',
      'v:[1,3]',
      'v:{"a":1}',
      'k:{"a":1,"b":2}',
    ];
    assert.deepEqual([...elements].sort(compareElements), [
      'f:a',
      'f:b',
      'k:{"a":1,"b":2}',
      'k:{"port":80}',
      'k:{"port":443}',
      'v:2',
      'v:10',
      'v:"a"',
      'v:true',
      'v:[1,3]',
      'v:[2]',
      'v:{"a":1}',
      'v:null',
      'i:1',
    ]);
  });

  it('elements that look canonical are', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double(),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), scalar, { minKeys: 1, maxKeys: 3 }), (fields) => {
        const loose = `k:${JSON.stringify(fields)}`;
        const sorted = Object.entries(fields)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, v]) => [name, JSON.parse(JSON.stringify(v)) as JsonValue] as const);
        assert.equal(canonicalElement(loose), keyElement(sorted));
        for (const [, value] of sorted)
          assert.equal(canonicalElement(`v:${JSON.stringify(value)}`), valueElement(value));
      }),
    );
  });

  it('tells paths as conflicts name them, a place before what is below it', () => {
    const set: FieldSet = {
      'f:spec': {
        'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {} } },
        'f:tags': { 'v:"a"': {} },
        'f:replicas': {},
        'f:list': { 'i:0': {} },
      },
    };
    assert.deepEqual(pathTexts(set), [
      '.spec.replicas',
      '.spec.list[0]',
      '.spec.ports[port=80,protocol="TCP"]',
      '.spec.ports[port=80,protocol="TCP"].name',
      '.spec.tags[="a"]',
    ]);
  });
});
