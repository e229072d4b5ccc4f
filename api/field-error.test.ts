import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cpuMs, scaled } from '../test/support/cpu.ts';
import { fieldError, fieldErrorBody, fieldErrorText } from './field-error.ts';
import { FieldPath } from './field-path.ts';
import type { JsonValue } from './json.ts';
import { stringifyJson } from './json-write.ts';

describe('FieldPath', () => {
  it('writes fields, indexes and keys as clients read them', () => {
    const spec = FieldPath.of('spec');
    assert.equal(FieldPath.root.toString(), '');
    assert.equal(spec.child('taints').index(0).child('key').toString(), 'spec.taints[0].key');
    assert.equal(
      FieldPath.of('metadata', 'labels').key('a.b/c').toString(),
      'metadata.labels[a.b/c]',
    );
    assert.equal(FieldPath.root.index(2).toString(), '[2]');
    assert.equal(spec.toString(), 'spec');
  });
});

describe('fieldError', () => {
  const path = FieldPath.of('spec', 'a');

  it('words each type of error as kube-apiserver does', () => {
    const cases = [
      [fieldError.required(path), 'Required value'],
      [fieldError.required(path, 'is missing'), 'Required value: is missing'],
      [fieldError.invalid(path, 'x', 'is bad'), 'Invalid value: "x": is bad'],
      [fieldError.invalid(path, null, 'is bad'), 'Invalid value: null: is bad'],
      [fieldError.typeInvalid(path, 5, 'no string'), 'Invalid value: 5: no string'],
      [fieldError.forbidden(path, 'may not'), 'Forbidden: may not'],
      [fieldError.duplicate(path, 'x'), 'Duplicate value: "x"'],
      [fieldError.notFound(path, 'x'), 'Not found: "x"'],
      [
        fieldError.notSupported(path, 'c', ['a', 'b']),
        'Unsupported value: "c": supported values: "a", "b"',
      ],
      [fieldError.notSupported(path, 'c', []), 'Unsupported value: "c"'],
      [fieldError.tooLong(path, 5), 'Too long: may not be more than 5 bytes'],
      [fieldError.tooLong(path, 1), 'Too long: may not be more than 1 byte'],
      [fieldError.tooLong(path, 5, 'characters'), 'Too long: may not be more than 5 characters'],
      [fieldError.tooMany(path, 3, 2), 'Too many: 3: must have at most 2 items'],
      [fieldError.internal(path, 'broke'), 'Internal error: broke'],
    ] as const;
    for (const [error, body] of cases) {
      assert.equal(fieldErrorBody(error), body);
      assert.equal(fieldErrorText(error), `spec.a: ${body}`);
    }
    assert.equal(fieldErrorText(fieldError.required('')), '<nil>: Required value');
  });

  it('lists supported values as long as there is room, and counts the others', () => {
    const values = Array.from({ length: 40_000 }, (_, i) => `value-${i}`);
    const { detail } = fieldError.notSupported(path, 'x', values);
    assert.match(detail, /^supported values: "value-0", .*, "value-\d+" and \d+ more$/);
    assert.ok(detail.length < 3_000, String(detail.length));
    const [, last, more] = /"value-(\d+)" and (\d+) more$/.exec(detail)!;
    assert.equal(Number(last) + 1 + Number(more), values.length);
    const long = fieldError.notSupported(path, 'x', ['a'.repeat(1_000_000)]);
    assert.equal(long.detail, 'supported values: 1 more');
  });

  it('cuts details that are too long', () => {
    const body = fieldErrorBody(fieldError.forbidden(path, 'x'.repeat(1_000_000)));
    assert.equal(body.length, 'Forbidden: '.length + 32 * 1024 + '...'.length);
  });

  it('shows values as JSON, exactly up to a limit (property)', () => {
    const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<JsonValue>(null, true, 1.5, 2n ** 62n, ''),
        fc.string({ maxLength: 300 }),
        fc.array(tie('json'), { maxLength: 9 }),
        fc.dictionary(fc.string(), tie('json'), { maxKeys: 9, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => {
        const exact = stringifyJson(value);
        const shown = fieldErrorBody(fieldError.notFound('', value)).slice('Not found: '.length);
        assert.equal(shown, exact.length <= 512 ? exact : `${exact.slice(0, 512)}...`);
      }),
    );
  });

  it('never serialises more of a value than it shows', () => {
    const text = 'x'.repeat(10_000_000);
    const large: JsonValue[] = [
      text,
      [text, text],
      { [text]: text },
      Array.from({ length: 100_000 }, () => ({ a: [text] })),
      [[[[{ a: { b: Array.from({ length: 100_000 }, () => text) } }]]]],
    ];
    const start = cpuMs();
    for (const value of large) {
      for (let i = 0; i < 100; i++) {
        assert.ok(fieldErrorText(fieldError.invalid(path, value, '')).length < 600);
      }
    }
    assert.ok(cpuMs() - start < scaled(5000));
    assert.ok(fieldErrorText(fieldError.invalid(path, '🎉'.repeat(1000), '')).isWellFormed());
  });
});
