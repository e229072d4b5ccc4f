import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { failures, object, problems, resource } from '../testing/rules.ts';
import { escapeName } from './identifiers.ts';

const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };
const list = (type: string, items: JsonObject, ...keys: string[]): JsonObject => ({
  type: 'array',
  items,
  'x-cluster-list-type': type,
  ...(keys.length > 0 && { 'x-cluster-list-map-keys': keys }),
});

describe('values in rules', () => {
  /** The rule must compile, and say this of the value. */
  const says = (
    properties: JsonObject,
    value: JsonValue,
    expected: boolean,
    rule: string,
    old?: JsonValue,
  ): void => {
    const spec = object(properties, rule);
    assert.deepEqual(problems(resource(spec)), []);
    const found = failures(spec, value, old);
    const wanted = expected ? [] : [`spec: Invalid value: failed rule: ${rule}`];
    assert.deepEqual(found, wanted, rule);
  };
  const holds = (properties: JsonObject, value: JsonValue, ...rules: string[]): void => {
    for (const rule of rules) says(properties, value, true, rule);
  };

  it('have the types of their schemas', () => {
    const properties = {
      i: INTEGER,
      n: { type: 'number' },
      b: { type: 'boolean' },
      s: TEXT,
      m: { type: 'object', additionalProperties: INTEGER },
    };
    holds(
      properties,
      { i: 2n ** 60n, n: 1, b: true, s: 'x', m: { 'a b': 1 } },
      'self.i == 1152921504606846976',
      'self.n == 1.0 && self.n / 2.0 == 0.5',
      'self.b',
      "self.s == 'x'",
      "self.m['a b'] == 1 && 'a b' in self.m && !('c' in self.m) && self.m.size() == 1",
    );
  });

  it('read fields named by reserved words, escaped or not', () => {
    const names = { namespace: TEXT, if: TEXT, o: object({ package: INTEGER }) };
    holds(
      names,
      { namespace: 'a', if: 'b', o: { package: 1 } },
      "self.namespace == 'a' && self.__namespace__ == 'a' && has(self.namespace)",
      "self.if + self.__if__ == 'bb' && self.o.package == 1",
    );
  });

  it('can be compared with what is in them that has no type', () => {
    const open = { 'x-cluster-preserve-unknown-fields': true };
    const properties = { l: list('atomic', object({ any: open, more: list('atomic', open) })) };
    const value = {
      l: [{ any: 'a' }, { any: 1 }, { any: 1 }, { more: [{ a: 1 }] }, { more: [2] }],
    };
    holds(properties, value, 'self.l[0] != self.l[1]', 'self.l[1] == self.l[2]');
    holds(properties, value, 'self.l[3] == self.l[3] && self.l[3] != self.l[4]');
  });

  it('have the types of their formats', () => {
    const text = (format: string): JsonObject => ({ ...TEXT, format, maxLength: 100 });
    holds(
      {
        t: text('date-time'),
        d: text('date'),
        p: text('duration'),
        b: text('byte'),
        e: text('email'),
      },
      { t: '2024-01-01T02:03:04Z', d: '2024-01-01', p: '1h30m', b: 'aGVsbG8=', e: 'a@b.c' },
      'self.t - self.d == duration("2h3m4s")',
      'self.p.getMinutes() == 90',
      "self.b == b'hello'",
      "self.e == 'a@b.c'",
    );
    says({ d: text('date') }, { d: '2024-01-02' }, false, 'self.d.getDayOfMonth() == 0');
  });

  it('may be integers or texts', () => {
    const properties = { p: { 'x-cluster-int-or-string': true } };
    const rule = "type(self.p) == int ? self.p > 0 : self.p == 'http'";
    says(properties, { p: 80 }, true, rule);
    says(properties, { p: 0 }, false, rule);
    says(properties, { p: 'http' }, true, rule);
  });

  it('are absent when they are null', () => {
    const properties = {
      a: { ...INTEGER, nullable: true },
      o: { ...object({ b: INTEGER }), nullable: true },
    };
    holds(properties, { a: null, o: null }, '!has(self.a)', '!has(self.o)');
    holds(properties, { a: 0, o: {} }, 'has(self.a)', 'has(self.o) && !has(self.o.b)');
  });

  it('are open objects, compared with all that is in them', () => {
    const open = { ...object({ a: INTEGER }), 'x-cluster-preserve-unknown-fields': true };
    const of = (z: JsonValue): JsonValue => ({ o: { a: 1, z } });
    says({ o: open }, of([1]), true, 'self.o == oldSelf.o', of([1]));
    says({ o: open }, of([1]), false, 'self.o == oldSelf.o', of([2]));
  });

  it('are atomic lists, equal in order', () => {
    const properties = { a: list('atomic', INTEGER), b: list('atomic', INTEGER) };
    holds(
      properties,
      { a: [1, 2], b: [1, 2] },
      'self.a == self.b',
      'self.a + self.b == [1, 2, 1, 2]',
    );
    says(properties, { a: [1, 2], b: [2, 1] }, false, 'self.a == self.b');
  });

  it('are sets, equal in any order and joined without doubles', () => {
    const properties = { a: list('set', INTEGER), b: list('set', INTEGER) };
    const value = { a: [1, 2], b: [2, 1] };
    holds(
      properties,
      value,
      'self.a == self.b',
      '(self.a + self.b).size() == 2',
      '(self.a + [3]).size() == 3',
    );
    says(properties, { a: [1, 2], b: [1, 3] }, false, 'self.a == self.b');
    says(properties, { a: [1, 2], b: [1] }, false, 'self.a == self.b');
  });

  it('are lists with keys, equal in any order and joined by them', () => {
    const item = { ...object({ k: TEXT, v: INTEGER }), required: ['k'] };
    const properties = { l: list('map', item, 'k') };
    const of = (items: Record<string, number>): JsonValue => ({
      l: Object.entries(items).map(([k, v]) => ({ k, v })),
    });
    const value = of({ x: 1, y: 2 });
    says(properties, value, true, 'self.l == oldSelf.l', of({ y: 2, x: 1 }));
    says(properties, value, false, 'self.l == oldSelf.l', of({ y: 2, x: 3 }));
    const other = of({ z: 3, x: 9 });
    says(properties, value, true, "(self.l + oldSelf.l).map(i, i.k) == ['x', 'y', 'z']", other);
    says(properties, value, true, '(self.l + oldSelf.l).map(i, i.v) == [9, 2, 3]', other);
  });
});

describe('names in rules', () => {
  it('are escaped', () => {
    assert.equal(escapeName('a-b.c/d'), 'a__dash__b__dot__c__slash__d');
    assert.equal(escapeName('a__b'), 'a__underscores__b');
    assert.equal(escapeName('namespace'), '__namespace__');
    assert.equal(escapeName('namespaces'), 'namespaces');
    for (const name of ['', '1a', 'a b', 'ä']) assert.equal(escapeName(name), undefined, name);
  });

  it('are as different as what they were escaped from', () => {
    const name = fc.stringMatching(/^(?:[a-c]|_|-|\.|\/|in|for|dash){0,6}$/);
    const identifiers = new Map<string, string>();
    fc.assert(
      fc.property(name, (text) => {
        const escaped = escapeName(text);
        if (escaped === undefined) return true;
        const other = identifiers.get(escaped);
        identifiers.set(escaped, text);
        return other === undefined || other === text;
      }),
      { numRuns: 1_000 },
    );
  });
});
