import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import {
  boolean,
  bytes,
  float64,
  int32,
  int64,
  intOrString,
  json,
  list,
  map,
  microTime,
  quantity,
  raw,
  string,
  struct,
  time,
  union,
  use,
} from '../dsl.ts';
import { kind, ObjectMeta } from '../object-meta.ts';
import { decodeTyped } from './decode-at-once.ts';
import { MAX_REPORTED_UNKNOWN } from './state.ts';

const Taint = struct('t.v1.Taint', {
  key: string({ required: true }),
  effect: string({ required: true }),
  timeAdded: time({ pointer: true }),
});
const Spec = struct('t.v1.WidgetSpec', {
  holder: string({ pointer: true }),
  note: string(),
  seconds: int32({ pointer: true }),
  count: int32({ required: true }),
  size: int64(),
  ratio: float64(),
  on: boolean(),
  at: microTime({ pointer: true }),
  seen: time(),
  made: time({ omit: 'zero' }),
  data: bytes(),
  amount: map(quantity()),
  port: intOrString({ pointer: true }),
  tags: list(string()),
  must: list(string(), { required: true }),
  taints: list(Taint),
  extra: raw({ pointer: true }),
  any: json({ pointer: true }),
  names: map(string()),
  inner: use(Taint, { pointer: true }),
});
const Widget = kind('t.v1.Widget', { spec: use(Spec, {}) });

function spec(value: JsonObject): JsonObject {
  const { value: decoded, error } = decodeTyped({ spec: value }, Widget);
  assert.equal(error, undefined);
  return (decoded as JsonObject)['spec'] as JsonObject;
}
/** What every spec shows, whatever was sent. */
const ALWAYS = { count: 0, seen: null, must: null };

function errorOf(value: JsonValue): string | undefined {
  return decodeTyped(value, Widget).error;
}

describe('decodeTyped', () => {
  it('shows what Go never omits, and nothing else, for an empty object', () => {
    assert.deepEqual(decodeTyped({}, Widget).value, { metadata: {}, spec: ALWAYS });
    assert.deepEqual(decodeTyped(null, Widget).value, { metadata: {}, spec: ALWAYS });
  });

  it('drops empty optional fields, keeps them behind pointers', () => {
    assert.deepEqual(
      spec({ note: '', holder: '', seconds: 0, on: false, size: 0, tags: [], names: {}, data: '' }),
      { ...ALWAYS, holder: '', seconds: 0 },
    );
    assert.deepEqual(spec({ must: [] }), { ...ALWAYS, must: [] });
    assert.deepEqual(spec({ inner: {} }), { ...ALWAYS, inner: { key: '', effect: '' } });
  });

  it('treats null as absent, or as the zero value inside lists and maps', () => {
    assert.deepEqual(
      spec({ holder: null, count: null, tags: null, made: null, inner: null, any: null }),
      ALWAYS,
    );
    assert.deepEqual(spec({ tags: [null], names: { a: null }, taints: [null] }), {
      ...ALWAYS,
      tags: [''],
      names: { a: '' },
      taints: [{ key: '', effect: '' }],
    });
  });

  it('brings times, quantities and bytes into their canonical form', () => {
    assert.deepEqual(
      spec({
        at: '2024-01-02T05:04:05.100000+02:00',
        seen: '2024-01-02T03:04:05.999+02:00',
        made: '2024-01-02T03:04:05Z',
        amount: { cpu: '0.1', memory: 1024 },
        data: 'aGVs\nbG9=',
      }),
      {
        ...ALWAYS,
        at: '2024-01-02T03:04:05.100000Z',
        seen: '2024-01-02T01:04:05Z',
        made: '2024-01-02T03:04:05Z',
        amount: { cpu: '100m', memory: '1024' },
        data: 'aGVsbG8=',
      },
    );
  });

  it('keeps integers exact and checks their range', () => {
    assert.deepEqual(spec({ size: 2n ** 62n, port: 'http' }), {
      ...ALWAYS,
      size: 2n ** 62n,
      port: 'http',
    });
    assert.equal(
      errorOf({ spec: { count: 2147483648 } }),
      'spec.count: must be a 32-bit integer, not 2147483648',
    );
    assert.equal(
      errorOf({ spec: { size: 1e30 } }),
      'spec.size: must be a 64-bit integer, not 1e+30',
    );
    assert.equal(
      errorOf({ spec: { seconds: 1.5 } }),
      'spec.seconds: must be a 32-bit integer, not 1.5',
    );
    assert.match(
      errorOf({ spec: { port: 2 ** 31 } }) ?? '',
      /^spec\.port: must be a string or a 32-bit integer/,
    );
  });

  it('names the path of a wrong value, the expected type and the sent type', () => {
    const cases: [JsonValue, string][] = [
      [{ spec: { count: 'x' } }, 'spec.count: must be a 32-bit integer, not a string'],
      [{ spec: { taints: [{ key: 1 }] } }, 'spec.taints[0].key: must be a string, not a number'],
      [
        { spec: { taints: [{}, { effect: [] }] } },
        'spec.taints[1].effect: must be a string, not a list',
      ],
      [{ spec: { taints: {} } }, 'spec.taints: must be a list, not an object'],
      [{ spec: { taints: ['x'] } }, 'spec.taints[0]: must be an object, not a string'],
      [{ spec: { names: { a: true } } }, 'spec.names.a: must be a string, not true'],
      [{ spec: 5 }, 'spec: must be an object, not a number'],
      [{ metadata: { labels: 'x' } }, 'metadata.labels: must be an object, not a string'],
      ['x', 'must be an object, not a string'],
      [{ spec: { on: 1 } }, 'spec.on: must be true or false, not a number'],
      [{ spec: { at: 1 } }, 'spec.at: must be a time as a string, not a number'],
    ];
    for (const [value, text] of cases) assert.equal(errorOf(value), text);
  });

  it('reads bytes that come as a list of numbers', () => {
    assert.equal((spec({ data: [97, null, 255] }) as { data?: string }).data, 'YQD/');
    for (const wrong of [[1, 'a'], [-1], [256], [1.5], [[1]]]) {
      assert.match(
        errorOf({ spec: { data: wrong } }) ?? '',
        /^spec\.data: must be a list of bytes/,
      );
    }
  });

  it('reports the first error only, and malformed scalars too', () => {
    assert.match(errorOf({ spec: { note: 1, count: 'x' } }) ?? '', /^spec\.note: /);
    assert.match(errorOf({ spec: { at: 'yesterday' } }) ?? '', /parsing time "yesterday"/);
    assert.match(errorOf({ spec: { at: '2023-02-28T00:00:00Z' } }) ?? '', /000000Z07:00/);
    assert.match(errorOf({ spec: { seen: '2023-02-29T00:00:00Z' } }) ?? '', /parsing time/);
    assert.match(errorOf({ spec: { amount: { cpu: 'lots' } } }) ?? '', /quantities must match/);
    assert.match(errorOf({ spec: { data: 'a' } }) ?? '', /illegal base64 data at input byte 1/);
    assert.match(errorOf({ spec: { data: 'a!==' } }) ?? '', /illegal base64 data at input byte 1/);
  });

  it('drops unknown fields and names them with indices and keys, in any case but the right one', () => {
    const { value, unknown } = decodeTyped(
      {
        Spec: {},
        spec: { taints: [{ key: 'a', Key: 'b' }], amount: {}, extra: { free: 1 } },
        metadata: { nick: 'x', ownerReferences: [{ foo: 1 }], labels: { anything: 'y' } },
      },
      Widget,
    );
    assert.deepEqual(
      [...unknown].sort(),
      ['Spec', 'metadata.nick', 'metadata.ownerReferences[0].foo', 'spec.taints[0].Key'].sort(),
    );
    assert.ok(!hasOwn(value as JsonObject, 'Spec'));
    assert.deepEqual(decodeTyped({ nick: 1 }, ObjectMeta, { path: 'a.metadata' }).unknown, [
      'a.metadata.nick',
    ]);
  });

  it('names a bounded number of unknown fields', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, 1]));
    assert.equal(decodeTyped(many, Widget).unknown.length, MAX_REPORTED_UNKNOWN);
  });

  it('is not fooled by keys that JavaScript objects inherit', () => {
    const value = JSON.parse(
      '{"__proto__":{"spec":{"note":"x"}},"spec":{"names":{"__proto__":"a","constructor":"b"}},"toString":1}',
    ) as JsonObject;
    const { value: decoded, unknown } = decodeTyped(value, Widget);
    assert.deepEqual([...unknown].sort(), ['__proto__', 'toString']);
    assert.equal(
      JSON.stringify(decoded),
      '{"spec":{"names":{"__proto__":"a","constructor":"b"},"count":0,"seen":null,"must":null},"metadata":{}}',
    );
  });

  it('chooses the variant of a union by the JSON type', () => {
    const Node = struct('t.v1.Node', (self) => ({
      items: union({ object: self, array: list(self) }, { pointer: true }),
      closed: union({ object: self, boolean: boolean() }, { pointer: true }),
    }));
    const value = { items: [{ closed: false }, { items: {} }], closed: { closed: true } };
    assert.deepEqual(decodeTyped(value, Node).value, value);
    assert.match(
      decodeTyped({ closed: 1 }, Node).error ?? '',
      /must be an object or a boolean, not a number/,
    );
  });

  it('shares nothing with its input', () => {
    const extra = { a: [1] };
    const decoded = spec({ extra, any: [extra] });
    extra.a.push(2);
    assert.deepEqual(decoded['extra'], { a: [1] });
    assert.deepEqual(decoded['any'], [{ a: [1] }]);
  });

  it('is idempotent for any JSON', () => {
    const field = fc.constantFrom(...(Spec.properties ?? new Map<string, unknown>()).keys());
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('1', '2024-01-02T03:04:05Z', []));
    fc.assert(
      fc.property(fc.dictionary(field, value), (given) => {
        const first = decodeTyped({ spec: given as JsonObject }, Widget);
        if (first.error !== undefined) return;
        const second = decodeTyped(first.value, Widget);
        assert.deepEqual(second, {
          value: first.value,
          error: undefined,
          unknown: [],
          tolerated: [],
        });
      }),
    );
  });
});
