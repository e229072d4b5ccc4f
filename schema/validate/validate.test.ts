import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FieldError } from '../../api/field-error.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { deepClone, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { applyDefaults } from '../default.ts';
import { schemaFromJson } from '../from-json.ts';
import { prune } from '../prune.ts';
import { anyJson, resource } from '../testing/arbitraries.ts';
import { MAX_FIELD_ERRORS } from './run.ts';
import { blocksRules, validateResource, validateValue } from './validate.ts';

/** `type path` of each error, in order of the texts. */
function summary(errors: readonly FieldError[]): string[] {
  return errors.map((e) => `${e.type.replace('FieldValue', '')} ${e.path || '<nil>'}`).sort();
}
function check(schema: JsonObject, value: JsonValue, old?: JsonValue): string[] {
  const options = old === undefined ? {} : { old: { f: old } };
  return summary(
    validateValue(
      { f: value },
      schemaFromJson({ type: 'object', properties: { f: schema } }),
      options,
    ),
  );
}
function accepts(schema: JsonObject, ...values: JsonValue[]): void {
  for (const value of values) assert.deepEqual(check(schema, value), [], stringifyJson(value));
}
function refuses(schema: JsonObject, expected: string[], ...values: JsonValue[]): void {
  for (const value of values) assert.deepEqual(check(schema, value), expected);
}

const OPEN = { 'x-cluster-preserve-unknown-fields': true };

describe('validateValue', () => {
  it('checks types; what is written with a fraction of zero is an integer', () => {
    accepts({ type: 'integer' }, 0, -0, 1e3, 2 ** 53 - 1, 2n ** 63n - 1n);
    refuses({ type: 'integer' }, ['Invalid <nil>', 'TypeInvalid f'], 1.5, 1e-1, 1e30, 2 ** 63);
    refuses({ type: 'integer' }, ['TypeInvalid f'], '1', true, [], {}, null);
    accepts({ type: 'number' }, 1, 1.5, 1e30, 2n ** 60n);
    accepts({ type: 'boolean' }, true, false);
    refuses({ type: 'boolean' }, ['TypeInvalid f'], 0, 'true', null);
    refuses({ type: 'string' }, ['TypeInvalid f'], 0, false, [], {}, null);
    refuses({ type: 'object' }, ['TypeInvalid f'], [], 'x');
    refuses({ type: 'array', items: OPEN }, ['TypeInvalid f'], {}, 'x');
    accepts(OPEN, 1, 'x', [1], { a: 1 }, null, true);
  });

  it('shows the type of a value of the wrong type', () => {
    const [error] = validateValue(
      { f: [] },
      schemaFromJson({ properties: { f: { type: 'string' } } }),
    );
    assert.deepEqual(error, {
      type: 'FieldValueTypeInvalid',
      path: 'f',
      value: 'array',
      detail: 'f in body must be of type string: "array"',
    });
  });

  it('checks int-or-string, whatever type stands beside it', () => {
    const port = { 'x-cluster-int-or-string': true, pattern: '^[0-9]+%$', minimum: 1 };
    accepts({ 'x-cluster-int-or-string': true, type: 'string' }, 1, 'x');
    accepts(port, 5, '5%');
    refuses(port, ['Invalid f'], 0, '5');
    refuses(port, ['TypeInvalid f'], 1.5, true, [], {}, null);
  });

  it('allows null where nullable, but never beside an enum', () => {
    accepts({ type: 'string', nullable: true, minLength: 3 }, null);
    refuses({ type: 'string', nullable: true, enum: ['a', null] }, ['NotSupported f'], null);
  });

  it('checks numbers exactly, past 2^53 too', () => {
    accepts({ type: 'integer', maximum: 10, minimum: 1 }, 1, 10);
    refuses({ type: 'integer', maximum: 10, minimum: 1 }, ['Invalid f'], 0, 11);
    refuses({ type: 'integer', maximum: 10, exclusiveMaximum: true }, ['Invalid f'], 10);
    refuses({ type: 'integer', minimum: 1, exclusiveMinimum: true }, ['Invalid f'], 1);
    const big = { type: 'integer', maximum: 2n ** 60n };
    accepts(big, 2n ** 60n);
    refuses(big, ['Invalid f'], 2n ** 60n + 1n);
    accepts({ type: 'integer', multipleOf: 3 }, 9, 0, -3, 3n * 2n ** 60n);
    refuses({ type: 'integer', multipleOf: 3 }, ['Invalid f'], 10, 2n ** 60n);
    accepts({ type: 'number', multipleOf: 0.1 }, 0.3, 1, 123.4);
    refuses({ type: 'number', multipleOf: 0.1 }, ['Invalid f'], 0.35);
    refuses({ type: 'integer', multipleOf: 0 }, ['Invalid f'], 5);
    refuses({ type: 'integer', multipleOf: -2 }, ['Invalid f'], 4);
  });

  it('checks the ranges that formats of numbers stand for', () => {
    const int32 = { type: 'integer', format: 'int32' };
    accepts(int32, 2 ** 31 - 1, -(2 ** 31));
    refuses(int32, ['Invalid <nil>'], 2 ** 31, -(2 ** 31) - 1, 2n ** 60n);
    refuses({ type: 'integer', format: 'int64' }, ['Invalid <nil>', 'TypeInvalid f'], 2 ** 63);
    refuses({ type: 'number', format: 'float' }, ['Invalid <nil>'], 1e39);
    accepts({ type: 'number', format: 'double' }, 1e39);
    accepts({ type: 'integer', format: 'date' }, 20240101);
  });

  it('counts characters, and reports the first of length and pattern, and the format', () => {
    const short = { type: 'string', maxLength: 3, minLength: 1 };
    accepts(short, 'äöü', '🎉🎉🎉', 'a');
    refuses(short, ['TooLong f'], 'äöüß', 'e\u0301e\u0301', '🎉🎉🎉🎉');
    refuses(short, ['Invalid f'], '');
    refuses({ type: 'string', minLength: 3 }, ['Invalid f'], '🎉🎉');
    accepts({ type: 'string', minLength: 2, maxLength: 2 }, '🎉🎉');
    accepts({ type: 'string', pattern: 'b' }, 'abc');
    refuses({ type: 'string', pattern: '^b' }, ['Invalid f'], 'abc');
    const all = { type: 'string', format: 'hostname', pattern: '^web-', maxLength: 12 };
    refuses(all, ['TooLong f', 'TypeInvalid f'], 'a_very_long_host');
    refuses(
      { type: 'string', format: 'ipv4', enum: ['10.0.0.1'] },
      ['NotSupported f', 'TypeInvalid f'],
      'x',
    );
    accepts({ type: 'string', format: 'colour' }, 'any');
    refuses({ type: 'string', format: 'date-time' }, ['TypeInvalid f'], 'yesterday');
    refuses({ type: 'string', format: 'datetime' }, ['TypeInvalid f'], 'yesterday');
  });

  it('compares with an enum by value', () => {
    accepts({ type: 'integer', enum: [1, 2n ** 60n] }, 1, 2n ** 60n);
    refuses({ type: 'integer', enum: [1] }, ['NotSupported f'], 2);
    accepts({ ...OPEN, enum: [{ a: [1] }] }, { a: [1] });
    refuses({ ...OPEN, enum: [{ a: [1] }] }, ['NotSupported f'], { a: [2] }, 'a');
  });

  it('checks lists and objects, with the path of what is wrong', () => {
    const list = {
      type: 'array',
      items: { type: 'integer', minimum: 0 },
      minItems: 1,
      maxItems: 3,
    };
    accepts(list, [1], [1, 2, 3]);
    refuses(list, ['Invalid f'], []);
    refuses(list, ['Invalid f[1]', 'Invalid f[3]', 'TooMany f'], [0, -1, 0, -1]);
    refuses({ type: 'array', items: { type: 'string' } }, ['TypeInvalid f[1]'], ['a', null]);
    const object = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a', 'b'],
      minProperties: 1,
      maxProperties: 2,
    };
    accepts(object, { a: '', b: '' });
    refuses(object, ['Invalid f', 'Required f.a', 'Required f.b'], {});
    refuses(object, ['TooMany f'], { a: '', b: '', c: 1 });
    const map = { type: 'object', additionalProperties: { type: 'integer' } };
    refuses(map, ['TypeInvalid f.example.com/x'], { 'example.com/x': 'y', ok: 1 });
    refuses(map, ['TypeInvalid f.__proto__'], JSON.parse('{"__proto__":"y"}') as JsonValue);
    refuses({ type: 'object', additionalProperties: false }, ['Invalid f'], { a: 1 });
    refuses({ type: 'object', required: ['toString'] }, ['Required f.toString'], {});
  });

  it('reports a junctor without a field, with the errors of the closest alternative', () => {
    const any = { type: 'integer', anyOf: [{ maximum: 10 }, { minimum: 100 }] };
    accepts(any, 5, 500);
    refuses(any, ['Invalid <nil>', 'Invalid f'], 50);
    const one = { type: 'string', oneOf: [{ pattern: 'a' }, { pattern: 'b' }] };
    accepts(one, 'a', 'b');
    refuses(one, ['Invalid <nil>', 'Invalid f'], 'c');
    refuses(one, ['Invalid <nil>'], 'ab');
    const all = { type: 'string', allOf: [{ minLength: 3 }, { pattern: '^x' }] };
    accepts(all, 'xyz');
    refuses(all, ['Invalid <nil>', 'Invalid f'], 'x');
    refuses(all, ['Invalid <nil>', 'Invalid f', 'Invalid f'], 'a');
    refuses({ type: 'string', not: { enum: ['root'] } }, ['Invalid <nil>'], 'root');
    const nested = {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      anyOf: [
        { properties: { a: { maximum: 1 } }, required: ['a'] },
        { properties: { a: { minimum: 5 }, b: { minimum: 5 } }, required: ['a', 'b'] },
      ],
    };
    refuses(nested, ['Invalid <nil>', 'Invalid f.a'], { a: 2 });
    refuses(nested, ['Invalid <nil>', 'Invalid f.b'], { a: 7, b: 2 });
  });

  it('puts the path of the value before the paths of errors', () => {
    const schema = schemaFromJson({
      type: 'array',
      items: { type: 'string', allOf: [{ minLength: 1 }] },
    });
    const errors = validateValue(['', 1], schema, { path: 'spec.default' });
    assert.deepEqual(summary(errors), [
      'Invalid spec.default',
      'Invalid spec.default.[0]',
      'TypeInvalid spec.default.[1]',
    ]);
  });
});

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
    ['nothing changes beside a missing field', { a: 1 }, { a: 1 }, []],
    ['something changes beside a missing field', { a: 1 }, { a: 2 }, ['Required f.b']],
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

  it('checks everything when there is no old value', () => {
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

function mentions(schema: JsonObject, ...words: string[]): boolean {
  const text = stringifyJson(schema);
  return words.some((word) => text.includes(word));
}

describe('validateResource', () => {
  const schema = schemaFromJson({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          set: { type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set' },
          maps: {
            type: 'object',
            additionalProperties: {
              type: 'array',
              items: { type: 'object', properties: { a: {}, b: {} } },
              'x-cluster-list-type': 'map',
              'x-cluster-list-map-keys': ['a', 'b'],
            },
          },
          tpl: { type: 'object', 'x-cluster-embedded-resource': true, ...OPEN },
          list: {
            type: 'array',
            items: { type: 'object', 'x-cluster-embedded-resource': true, ...OPEN },
          },
        },
      },
      status: { type: 'object', properties: { n: { type: 'integer', maximum: 1 } } },
    },
    required: ['spec'],
  });
  const of = (spec: JsonObject, old?: JsonObject): string[] =>
    summary(
      validateResource({ spec }, schema, { old: old === undefined ? undefined : { spec: old } }),
    );

  it('wants unique items, reporting each repetition once', () => {
    assert.deepEqual(of({ set: ['a', 'b', 'a', 'a', 'b'] }), [
      'Duplicate spec.set[2]',
      'Duplicate spec.set[4]',
    ]);
    assert.deepEqual(of({ maps: { k: [{ a: 1 }, { a: 1, b: 2 }, { a: 1, c: 3 }, {}, {}] } }), [
      'Duplicate spec.maps[k][2]',
      'Duplicate spec.maps[k][4]',
    ]);
    assert.deepEqual(of({ maps: { k: ['x', { a: 1 }] } }), [
      'Invalid spec.maps[k][0]',
      'TypeInvalid spec.maps.k[0]',
    ]);
  });

  it('lets duplicates pass when there were some before', () => {
    assert.deepEqual(of({ set: ['b', 'b'] }, { set: ['a', 'a'] }), []);
    assert.deepEqual(of({ set: ['b', 'b'] }, { set: ['a', 'b'] }), ['Duplicate spec.set[1]']);
  });

  it('checks type and metadata of embedded resources, on update as well', () => {
    const good = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'A_B' } };
    assert.deepEqual(of({ tpl: good, list: [good] }), []);
    assert.deepEqual(of({ tpl: {} }, { tpl: {} }), [
      'Required spec.tpl.apiVersion',
      'Required spec.tpl.kind',
    ]);
    assert.deepEqual(of({ tpl: { ...good, apiVersion: 'a/b/c', kind: 'Po d' } }), [
      'Invalid spec.tpl.apiVersion',
      'Invalid spec.tpl.kind',
    ]);
    assert.deepEqual(of({ tpl: { ...good, kind: '' }, list: [good, { ...good, kind: 5 }] }), [
      'Invalid spec.list[1].kind',
      'Invalid spec.tpl.kind',
    ]);
    const meta = { namespace: 'X', labels: { 'a b': 'x' }, annotations: { '!': '' } };
    assert.deepEqual(of({ tpl: { ...good, metadata: meta } }), [
      'Invalid spec.tpl.metadata.annotations',
      'Invalid spec.tpl.metadata.labels',
      'Invalid spec.tpl.metadata.namespace',
    ]);
  });

  it('looks at status only when only status is written', () => {
    const object = { status: { n: 5 } };
    assert.deepEqual(summary(validateResource(object, schema)), [
      'Invalid status.n',
      'Required spec',
    ]);
    const statusOnly = true;
    assert.deepEqual(summary(validateResource(object, schema, { statusOnly })), [
      'Invalid status.n',
    ]);
    assert.deepEqual(
      validateResource(object, schema, { statusOnly, old: { status: { n: 5 } } }),
      [],
    );
    assert.deepEqual(validateResource({}, schema, { statusOnly }), []);
  });

  it('says which errors keep rules from being evaluated', () => {
    const error = (type: FieldError['type']): FieldError => ({ type, path: '', detail: '' });
    assert.equal(blocksRules([error('FieldValueInvalid'), error('FieldValueDuplicate')]), false);
    assert.equal(blocksRules([error('FieldValueInvalid'), error('FieldValueRequired')]), true);
    assert.equal(blocksRules([error('FieldValueTypeInvalid')]), true);
  });
});

describe('validation of generated schemas', () => {
  it('accepts valid values, with defaults filled in', () => {
    fc.assert(
      fc.property(resource, ({ schema: json, value }) => {
        const schema = schemaFromJson(json);
        applyDefaults(value, schema);
        assert.deepEqual(validateResource(value, schema), []);
      }),
      { numRuns: 500 },
    );
  });

  it('reports errors at places that exist, or whose parent does', () => {
    fc.assert(
      fc.property(resource, anyJson, (sample, junk) => {
        const schema = schemaFromJson(sample.schema);
        const object: JsonObject = { ...sample.value, spec: junk };
        for (const { path, type } of validateResource(object, schema)) {
          if (path === '') continue;
          const steps = path.split(/\.|\[/).map((s) => s.replace(/\]$/, ''));
          if (type === 'FieldValueRequired') steps.pop();
          assert.notEqual(valueAt(object, steps), undefined, path);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('refuses a value of another type, exactly there', () => {
    fc.assert(
      fc.property(resource, fc.nat(), ({ schema: json, value }, pick) => {
        const schema = schemaFromJson(json);
        const leaves = scalarLeaves(value['spec'] as JsonValue, ['spec']);
        const leaf = leaves[pick % Math.max(1, leaves.length)];
        fc.pre(leaf !== undefined && !mentions(json, 'preserve-unknown'));
        const path = leaf.reduce<string>(
          (p, s) => (typeof s === 'number' ? `${p}[${s}]` : p === '' ? s : `${p}.${s}`),
          '',
        );
        setAt(value, leaf, { wrong: true });
        const errors = validateResource(value, schema);
        assert.ok(
          errors.some((e) => e.type === 'FieldValueTypeInvalid' && e.path === path),
          `${path}: ${JSON.stringify(summary(errors))}`,
        );
      }),
      { numRuns: 300 },
    );
  });
});

function valueAt(value: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const step of steps) {
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}
function scalarLeaves(value: JsonValue, path: (string | number)[]): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Array.isArray(value)
    ? value.flatMap((item, i) => scalarLeaves(item, [...path, i]))
    : Object.keys(value).flatMap((key) => scalarLeaves(value[key] as JsonValue, [...path, key]));
}
function setAt(value: JsonValue, path: readonly (string | number)[], to: JsonValue): void {
  const last = path[path.length - 1]!;
  let at = value as Record<string | number, JsonValue>;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, JsonValue>;
  Object.defineProperty(at, last, {
    value: to,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

describe('validation of hostile input', () => {
  it('reports a bounded number of errors', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const value = Array.from({ length: 100_000 }, () => 1);
    assert.equal(check(list, value).length, MAX_FIELD_ERRORS);
    const set = schemaFromJson({ ...list, 'x-cluster-list-type': 'set' });
    const many = Array.from({ length: 50_000 }, (_, i) => String(i >> 1));
    assert.ok(
      validateResource({ l: many }, schemaFromJson({ properties: { l: {} } })).length === 0,
    );
    assert.ok(validateValue(many, set).length === 0);
  });

  it('stops when alternatives multiply, and says so, on update too', () => {
    const anyOf = Array.from({ length: 1000 }, (_, i) => ({ minimum: 1000 - i }));
    const list = { type: 'array', items: { type: 'integer', anyOf } };
    const values = Array.from({ length: 100_000 }, () => 1);
    assert.deepEqual(check(list, values), ['Invalid <nil>']);
    assert.deepEqual(check(list, values, values), ['Invalid <nil>']);
  });

  it('matches catastrophic patterns in linear time', () => {
    const text = `${'a'.repeat(50_000)}!`;
    refuses({ type: 'string', pattern: '^(a+)+$' }, ['Invalid f'], text);
    refuses({ type: 'string', pattern: '(x+x+)+y' }, ['Invalid f'], 'x'.repeat(50_000));
  });
});
