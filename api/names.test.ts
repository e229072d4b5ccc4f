import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cpuMs, scaled } from '../test/support/cpu.ts';
import { assertTextsGo } from '../test/support/kept-texts.ts';
import * as names from './names.ts';
import { nameIsDnsLabel, nameIsDnsSubdomain, nameIsPathSegment } from './name-rules.ts';

type Rule = (value: string) => string[];

/** Every rule with a pattern: the textbook form of the same set, as the messages show it. */
const PATTERNS: [string, Rule, RegExp, number][] = [
  ['DNS label', names.dns1123LabelErrors, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 63],
  [
    'DNS subdomain',
    names.dns1123SubdomainErrors,
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    253,
  ],
  ['RFC 1035 label', names.dns1035LabelErrors, /^[a-z]([-a-z0-9]*[a-z0-9])?$/, 63],
  ['label value', names.labelValueErrors, /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/, 63],
  [
    'unprefixed label key',
    (value) => (value.includes('/') ? ['no'] : names.qualifiedNameErrors(value)),
    /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/,
    63,
  ],
  ['config key', names.configMapKeyErrors, /^(?!\.\.|\.$)[-._a-zA-Z0-9]+$/, 253],
  [
    'condition reason',
    names.conditionReasonErrors,
    /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/,
    Infinity,
  ],
  ['HTTP path', names.httpPathErrors, /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/, Infinity],
];

describe('names', () => {
  const text = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '-', '.', '_', '/', ':', ',', 'ü', '\n'),
      maxLength: 10,
    }),
    fc.string({ maxLength: 6 }),
    fc.tuple(fc.constantFrom('a', 'a.', '-'), fc.nat(260)).map(([c, n]) => c.repeat(n)),
  );

  for (const [what, rule, pattern, max] of PATTERNS) {
    it(`accept exactly what their message describes: ${what} (property)`, () => {
      fc.assert(
        fc.property(text, (value) => {
          const isGood = pattern.test(value) && Buffer.byteLength(value) <= max;
          assert.equal(rule(value).length === 0, isGood);
        }),
        { numRuns: 500 },
      );
    });
  }

  it('word their errors as kube-apiserver does', () => {
    assert.deepEqual(names.dns1123SubdomainErrors('Abc'), [
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ]);
    assert.deepEqual(names.dns1123LabelErrors('a.b'), ['must not contain dots']);
    assert.deepEqual(names.dns1123LabelErrors('a'.repeat(64)), [
      'must be no more than 63 characters',
    ]);
    assert.deepEqual(names.labelValueErrors('my shop'), [
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ]);
    assert.deepEqual(names.pathSegmentNameErrors('..'), ["may not be '..'"]);
    assert.deepEqual(names.pathSegmentNameErrors('a/b%'), [
      "may not contain '/'",
      "may not contain '%'",
    ]);
    assert.deepEqual(names.configMapKeyErrors('..a'), ["must not start with '..'"]);
    assert.deepEqual(names.portNumberErrors(0), ['must be between 1 and 65535, inclusive']);
  });

  it('split qualified keys at the slash', () => {
    for (const good of ['a', 'A.b-c_d', 'example.com/team', 'a.b.c/D', 'x'.repeat(63)]) {
      assert.deepEqual(names.qualifiedNameErrors(good), [], good);
    }
    const shape = "name part must consist of alphanumeric characters, '-', '_' or '.',";
    const cases: [string, ...string[]][] = [
      ['', 'name part must be non-empty', shape],
      ['/app', 'prefix part must be non-empty'],
      ['example.com/', 'name part must be non-empty', shape],
      ['Example_com/app', 'prefix part a lowercase RFC 1123 subdomain must'],
      ['a/b/c', 'a valid label key must consist of alphanumeric'],
      ['example.com/' + 'k'.repeat(64), 'name part must be no more than 63 bytes'],
      ['-app', shape],
    ];
    for (const [key, ...starts] of cases) {
      const errors = names.qualifiedNameErrors(key);
      assert.equal(errors.length, starts.length, key);
      starts.forEach((start, i) => assert.ok(errors[i]?.startsWith(start), errors[i]));
    }
  });

  it('recognise domain names', () => {
    assert.deepEqual(names.fullyQualifiedNameErrors('hook.example.com'), []);
    assert.equal(names.fullyQualifiedNameErrors('example.com').length, 1);
    assert.equal(names.fullyQualifiedNameErrors('').length, 1);
    assert.deepEqual(names.domainPrefixedPathErrors('acme.io/foo/bar'), []);
    for (const bad of ['acme.io', '/foo', 'acme.io/', 'Acme/foo', 'acme.io/a b']) {
      assert.ok(names.domainPrefixedPathErrors(bad).length > 0, bad);
    }
  });

  it('report a value that is both too long and malformed', () => {
    assert.equal(names.labelValueErrors('-'.repeat(64)).length, 2);
    assert.equal(names.dns1123SubdomainErrors('A'.repeat(254)).length, 2);
  });

  it('count bytes, not characters', () => {
    assert.ok(names.labelValueErrors('ü'.repeat(32)).includes('must be no more than 63 bytes'));
  });

  it('take linear time on hostile values', () => {
    const rules = PATTERNS.map(([, rule]) => rule);
    for (const unit of ['a', 'a-', '-', '.', 'a.', '_', '/', 'ü']) {
      const value = unit.repeat(1_000_000) + '!';
      const start = cpuMs();
      for (const rule of [...rules, names.qualifiedNameErrors, names.fullyQualifiedNameErrors])
        rule(value);
      assert.ok(cpuMs() - start < scaled(5000), unit);
    }
  });

  it('may end in a dash where they are prefixes', () => {
    assert.deepEqual(nameIsDnsSubdomain('job-', true), []);
    assert.equal(nameIsDnsSubdomain('job-', false).length, 1);
    assert.equal(nameIsDnsSubdomain('Job-', true).length, 1);
    assert.equal(nameIsDnsSubdomain('job.', true).length, 1);
    assert.equal(nameIsDnsSubdomain('-', true).length, 1);
    assert.deepEqual(nameIsDnsLabel('a-', true), []);
    assert.deepEqual(nameIsPathSegment('system:node', false), []);
    assert.deepEqual(nameIsPathSegment('.', true), []);
    assert.equal(nameIsPathSegment('.', false).length, 1);
  });
});

describe('names that are remembered', () => {
  it('do not keep the texts alive that they were cut out of', () => {
    assertTextsGo(
      (i) => `example.com/of-a-long-body-${i}`,
      (name) => assert.deepEqual(names.qualifiedNameErrors(name), []),
    );
  });
});
