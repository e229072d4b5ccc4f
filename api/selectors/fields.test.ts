import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cpuMs, scaled } from '../../test/support/cpu.ts';
import { FieldSelector, escapeFieldValue, parseFieldSelector } from './fields.ts';

const parse = (text: string): FieldSelector => {
  const parsed = parseFieldSelector(text);
  if ('error' in parsed) assert.fail(`${text}: ${parsed.error}`);
  return parsed.selector;
};
const errorOf = (text: string): string => {
  const parsed = parseFieldSelector(text);
  return 'error' in parsed ? parsed.error : 'no error';
};
const a = (field: string): string => (field === 'metadata.name' ? 'a' : '');

describe('field selectors', () => {
  it('match by their operators', () => {
    const cases: Record<string, boolean> = {
      '': true,
      ',': true,
      '=': true,
      'metadata.name=a': true,
      'metadata.name==a': true,
      'metadata.name!=a': false,
      'metadata.name=a,': true,
      ',metadata.name=b': false,
      'metadata.name=a,metadata.name=b': false,
      'metadata.name!=b,metadata.name!=c': true,
      'metadata.name=': false,
      'spec.x=': true,
      'spec.x!=': false,
    };
    for (const [text, expected] of Object.entries(cases)) {
      assert.equal(parse(text).matches(a), expected, text);
    }
    assert.equal(parse(',').isEverything(), true);
  });

  it('keep blanks as part of names and values', () => {
    assert.deepEqual(parse('metadata.name = a').requirements, [
      { field: 'metadata.name ', operator: '=', value: ' a' },
    ]);
  });

  it('report errors in the words of kube-apiserver', () => {
    const cases: Record<string, string> = {
      'metadata.name': "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
      'metadata.name in (a,b)': "invalid selector: 'metadata.name in (a,b)'; can't understand 'b)'",
      'metadata.name===a': 'invalid field selector: unescaped character in value: 61',
      'a=b=c': 'invalid field selector: unescaped character in value: 61',
      'a=b\\c': 'invalid field selector: invalid escape sequence: \\c',
      'a=b\\': 'invalid field selector: invalid escape sequence: \\',
    };
    for (const [text, error] of Object.entries(cases)) assert.equal(errorOf(text), error, text);
  });

  it('accept commas, equal signs and backslashes escaped by a backslash', () => {
    assert.deepEqual(parse('a=1\\,2\\=3\\\\4,b!=x').requirements, [
      { field: 'a', operator: '=', value: '1,2=3\\4' },
      { field: 'b', operator: '!=', value: 'x' },
    ]);
  });

  it('expose the exact value that they require of a field', () => {
    const selector = parse('metadata.name=a,spec.x!=1');
    assert.equal(selector.requiresExactMatch('metadata.name'), 'a');
    assert.equal(selector.requiresExactMatch('spec.x'), undefined);
    assert.equal(parse('spec.x=').requiresExactMatch('spec.x'), '');
    assert.equal(selector.withoutExact('metadata.name').toString(), 'spec.x!=1');
    assert.equal(selector.withoutExact('spec.x').toString(), selector.toString());
    const two = parse('metadata.name=a,metadata.name=b').withoutExact('metadata.name');
    assert.equal(two.toString(), 'metadata.name=b');
  });

  it('round-trip every value (property)', () => {
    const requirement = fc.record({
      field: fc.constantFrom('metadata.name', 'spec.a', 'b'),
      operator: fc.constantFrom('=' as const, '!=' as const),
      value: fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(',', '=', '\\', 'ü', '!') })),
    });
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const text = FieldSelector.of(requirements).toString();
        const again = parse(text).requirements;
        const key = (r: object): string => JSON.stringify(r);
        assert.deepEqual(again.map(key).sort(), requirements.map(key).sort());
      }),
    );
    fc.assert(
      fc.property(fc.string(), (value) => {
        assert.equal(parse(`f=${escapeFieldValue(value)}`).requiresExactMatch('f'), value);
      }),
    );
  });

  it('never throw and take linear time (property)', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(',', '=', '\\', '!', 'a') }), (text) => {
        parseFieldSelector(text);
      }),
    );
    const start = cpuMs();
    for (const unit of ['a', ',', '\\', '=', 'a=b,']) parseFieldSelector(unit.repeat(100_000));
    assert.ok(cpuMs() - start < scaled(5000));
  });
});
