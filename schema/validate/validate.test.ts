import assert from 'node:assert/strict';
import type { JsonValue } from '../../api/json.ts';
import { schemaFromJson } from '../from-json.ts';
import { OPEN, accepts, check, refuses, summary } from '../testing/checks.ts';
import { cpuMs, scaled } from '../../test/support/cpu.ts';
import { MAX_FIELD_ERRORS } from './run.ts';
import { validateValue } from './validate.ts';

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

  it('checks int-or-string and ignores its type keyword', () => {
    const port = { 'x-cluster-int-or-string': true, pattern: '^[0-9]+%$', minimum: 1 };
    accepts({ 'x-cluster-int-or-string': true, type: 'string' }, 1, 'x');
    accepts(port, 5, '5%');
    refuses(port, ['Invalid f'], 0, '5');
    refuses(port, ['TypeInvalid f'], 1.5, true, [], {}, null);
  });

  it('allows null where nullable, with an enum only where the enum lists it', () => {
    accepts({ type: 'string', nullable: true, minLength: 3 }, null);
    accepts({ type: 'string', nullable: true, enum: ['a', null] }, null, 'a');
    refuses({ type: 'string', nullable: true, enum: ['a'] }, ['NotSupported f'], null);
    refuses({ type: 'string', enum: ['a', null] }, ['TypeInvalid f'], null);
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
    accepts({ type: 'number', multipleOf: 0.1 }, 0.3, 0.1, 123.4);
    refuses({ type: 'number', multipleOf: 0.1 }, ['Invalid f'], 0.35);
    accepts({ type: 'number', multipleOf: 2.5 }, 7.5, 5);
    refuses({ type: 'number', multipleOf: 2.5 }, ['Invalid f'], 4);
    accepts({ type: 'number', multipleOf: 0.01 }, 0.29, -0.29, 1.1, 1e21, 19.99);
    refuses({ type: 'number', multipleOf: 0.01 }, ['Invalid f'], -0.005, 0.299, 1e-9);
    accepts({ type: 'number', multipleOf: 1e-300 }, 1e300, 0.5);
    refuses({ type: 'integer', multipleOf: 0 }, ['Invalid f'], 5);
    refuses({ type: 'integer', multipleOf: -2 }, ['Invalid f'], 4);
  });

  it('compares integers with bounds and factors that have a fraction, exactly', () => {
    const between = { type: 'number', minimum: 0.5, maximum: 1.5 };
    accepts(between, 1, 0.5, 1.5);
    refuses(between, ['Invalid f'], 0, -1, 2, 0.25, 1.75);
    accepts({ ...between, exclusiveMaximum: true }, 1);
    refuses({ ...between, exclusiveMaximum: true }, ['Invalid f'], 0, 1.5);
    refuses({ type: 'number', minimum: 1.5 }, ['Invalid f'], 1);
    accepts({ type: 'number', multipleOf: 0.5 }, 0, 2, 1.5);
    refuses({ type: 'number', multipleOf: 0.5 }, ['Invalid f'], 0.75);
    accepts({ type: 'number', multipleOf: 0.1 }, 3, -7);
    refuses({ type: 'number', multipleOf: 0.7 }, ['Invalid f'], 3);
    accepts({ type: 'number', maximum: 1e30 }, 1);
    refuses({ 'x-cluster-int-or-string': true, minimum: 0.5 }, ['Invalid f'], 0);
  });

  it('compares with bounds and factors that the type itself cannot have', () => {
    const odd = { type: 'integer', minimum: 0.5, multipleOf: 1.5 };
    accepts(odd, 3);
    refuses(odd, ['Invalid f'], 2, 0);
    accepts({ type: 'integer', format: 'int32', maximum: 2 ** 32 - 1 }, 1, 2 ** 31 - 1);
    refuses({ type: 'integer', format: 'int32', minimum: 2 ** 31 }, ['Invalid f'], 1);
    accepts({ type: 'integer', maximum: 2n ** 63n }, 1, 2n ** 63n - 1n);
    refuses({ type: 'integer', multipleOf: 2n ** 63n }, ['Invalid f'], 1);
    accepts({ type: 'number', format: 'float', minimum: -1e39 }, 1.5);
  });

  it('finds a number in a list by its exact value', () => {
    accepts({ type: 'number', enum: [1, 2.5] }, 1, 2.5);
    refuses({ type: 'number', enum: [1, 2.5] }, ['NotSupported f'], 1.5, 1.99, 2, 0.5, -1.5);
  });

  it('says once what a schema and its alternatives both say', () => {
    const most = { type: 'integer', maximum: 10 };
    refuses({ ...most, allOf: [{ maximum: 10 }] }, ['Invalid <nil>', 'Invalid f'], 50);
    refuses({ ...most, allOf: [{ maximum: 9 }] }, ['Invalid <nil>', 'Invalid f', 'Invalid f'], 50);
    const needy = { required: ['a'] };
    refuses({ ...needy, anyOf: [needy] }, ['Invalid <nil>', 'Required f.a'], {});
    const listed = { enum: ['a'] };
    refuses({ ...listed, oneOf: [listed] }, ['Invalid <nil>', 'NotSupported f'], 'c');
  });

  it('lets no list pass for a string with a format; a format alone does', () => {
    const date = { type: 'string', format: 'date' };
    accepts(date, '2024-01-01');
    refuses(date, ['TypeInvalid f'], 5, 1.5, true, {}, null, 'x', [], [1], ['2024-01-01']);
    refuses({ type: 'string', format: 'colour' }, ['TypeInvalid f'], []);
    const open = { ...OPEN, format: 'ipv4' };
    accepts(open, '10.0.0.1', [1], null);
    refuses(open, ['TypeInvalid f'], 5, true, {}, 'x');
    const no = { type: 'integer', not: { format: 'ipv4' } };
    accepts(no, 5);
    refuses(no, ['Invalid <nil>', 'TypeInvalid f'], '10.0.0.1');
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

  it('ReDoS: gives up where a pattern of many states meets a long text', () => {
    const pattern = '(?:a|b){0,900}(?:a|b){0,900}(?:a|b){0,900}y$';
    const began = cpuMs();
    refuses({ type: 'string', pattern }, ['Invalid <nil>'], `${'ab'.repeat(50_000)}yb`);
    refuses({ type: 'string', pattern }, ['Invalid f'], 'abyb');
    accepts({ type: 'string', pattern: '^[a-z]+$' }, 'ab'.repeat(500_000));
    assert.ok(cpuMs() - began < scaled(2_000));
  });

  it('counts characters, and reports the first of length and pattern, and the format', () => {
    const short = { type: 'string', maxLength: 3, minLength: 1 };
    accepts(short, 'äöü', '🎉🎉🎉', 'a');
    refuses(short, ['TooLong f'], 'äöüß', 'e\u0301e\u0301', '🎉🎉🎉🎉');
    const [long] = validateValue({ f: 'äöüß' }, schemaFromJson({ properties: { f: short } }));
    assert.equal(long?.detail, 'may not be more than 3 characters');
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

  it('looks for required names within the steps of one validation', () => {
    const required = Array.from({ length: 10_000 }, (_, i) => `n${i}`);
    const list = { type: 'array', items: { type: 'object', required } };
    const errors = check(
      list,
      Array.from({ length: 1_000 }, () => ({})),
    );
    assert.ok(errors.includes('Invalid <nil>'), errors.join());
  });

  it('finds a text among many listed ones without a look at each', () => {
    const values = Array.from({ length: 20_000 }, (_, i) => `v${i}`);
    const list = { type: 'array', items: { type: 'string', enum: values } };
    assert.deepEqual(check(list, values), []);
    const wrong = check(
      list,
      values.map((value) => `${value}x`),
    );
    assert.equal(wrong.length, MAX_FIELD_ERRORS);
    assert.ok(wrong.every((error) => error.startsWith('NotSupported f')));
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
