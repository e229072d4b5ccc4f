import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../api/json.ts';
import { applyDefaults } from './default.ts';
import { DefaultBudget } from './default-budget.ts';
import { schemaFromJson } from './from-json.ts';

function defaulted(properties: JsonObject, value: JsonObject): JsonValue {
  applyDefaults(value, schemaFromJson({ type: 'object', properties }));
  return value;
}

describe('applyDefaults', () => {
  it('fills in what is absent, and keeps what is given, empty or wrong', () => {
    const properties = {
      s: { type: 'string', default: 'x' },
      i: { type: 'integer', default: 0 },
      l: { type: 'array', items: { type: 'integer' }, default: [1, 2] },
      p: { 'x-cluster-int-or-string': true, default: '25%' },
      none: { type: 'string' },
    };
    assert.deepEqual(defaulted(properties, {}), { s: 'x', i: 0, l: [1, 2], p: '25%' });
    assert.deepEqual(defaulted(properties, { s: '', i: 'x', l: [] }), {
      s: '',
      i: 'x',
      l: [],
      p: '25%',
    });
  });

  it('fills in the defaults of a default, to every depth', () => {
    const properties = {
      d: {
        type: 'object',
        default: {},
        properties: {
          a: { type: 'string', default: 'y' },
          in: {
            type: 'object',
            default: {},
            properties: { b: { type: 'integer', default: 2 } },
          },
        },
      },
    };
    assert.deepEqual(defaulted(properties, {}), { d: { a: 'y', in: { b: 2 } } });
    assert.deepEqual(defaulted(properties, { d: { in: { b: 9 } } }), {
      d: { in: { b: 9 }, a: 'y' },
    });
  });

  it('takes null for absent unless it is allowed', () => {
    const item = { type: 'object', properties: { x: { type: 'integer', default: 1 } } };
    const properties = {
      a: { type: 'string', default: 'x' },
      b: { type: 'string', nullable: true, default: 'x' },
      c: { type: 'string' },
      u: { 'x-cluster-preserve-unknown-fields': true },
      l: { type: 'array', items: { ...item, nullable: true } },
      k: { type: 'array', items: { ...item, default: {} } },
      m: { type: 'object', additionalProperties: { type: 'string' } },
      n: { type: 'object', additionalProperties: { ...item, default: {} } },
      free: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
    };
    const given = {
      a: null,
      b: null,
      c: null,
      u: null,
      l: [null, {}],
      k: [null],
      m: { a: null, b: 'x' },
      n: { a: null },
      free: { a: null },
    };
    assert.deepEqual(defaulted(properties, given), {
      a: 'x',
      b: null,
      l: [null, { x: 1 }],
      k: [{ x: 1 }],
      m: { b: 'x' },
      n: { a: { x: 1 } },
      free: { a: null },
    });
  });

  it('gives each place a default of its own', () => {
    const schema = schemaFromJson({
      type: 'object',
      properties: { l: { type: 'array', items: { type: 'string' }, default: ['a'] } },
    });
    const first: JsonObject = {};
    applyDefaults(first, schema);
    (first['l'] as JsonValue[]).push('b');
    const second: JsonObject = {};
    applyDefaults(second, schema);
    assert.deepEqual(second, { l: ['a'] });
  });

  it('sets a property that is called __proto__', () => {
    const properties = JSON.parse('{"__proto__":{"type":"string","default":"x"}}') as JsonObject;
    const value = defaulted(properties, {});
    assert.equal(JSON.stringify(value), '{"__proto__":"x"}');
    assert.equal(({} as JsonObject)['default'], undefined);
  });

  it('stops before it adds more than it may, and names the field without room', () => {
    const text = { type: 'string', default: 'x'.repeat(100) };
    const items = { type: 'object', properties: { text } };
    const schema = schemaFromJson({
      type: 'object',
      properties: { spec: { type: 'object', properties: { list: { type: 'array', items } } } },
    });
    const value = (count: number): JsonObject => ({
      spec: { list: Array.from({ length: count }, () => ({})) },
    });
    const fill = (count: number, budget: DefaultBudget): string | undefined =>
      applyDefaults(value(count), schema, { budget });
    assert.equal(fill(3, new DefaultBudget(3)), undefined);
    assert.equal(fill(4, new DefaultBudget(3)), 'spec.list[3].text');
    assert.equal(fill(2, new DefaultBudget(100, 250)), undefined);
    assert.equal(fill(3, new DefaultBudget(100, 250)), 'spec.list[2].text');
    assert.notEqual(fill(31_000, new DefaultBudget()), undefined);
  });

  it('leaves a value as it was when there is no room', () => {
    const text = { type: 'string', default: 'x' };
    const schema = schemaFromJson({
      type: 'object',
      properties: {
        a: {
          type: 'object',
          default: { b: {} },
          properties: { b: { type: 'object', default: {} } },
        },
        map: { type: 'object', additionalProperties: { type: 'string', default: 'y' } },
        none: { type: 'integer' },
        list: { type: 'array', items: text },
        z: { type: 'object', properties: { text } },
      },
    });
    const given = (): JsonObject => ({
      ...{ a: null, none: null, map: { k: null }, list: [null, 'z'], z: {} },
    });
    const value = given();
    // a and b, the entry of the map, the item; none is left for z
    assert.equal(applyDefaults(value, schema, { budget: new DefaultBudget(4) }), 'z.text');
    assert.deepEqual(value, given());
  });
});
