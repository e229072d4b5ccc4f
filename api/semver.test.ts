import assert from 'node:assert/strict';
import fc from 'fast-check';
import semver from 'semver';
import { cpuMs, scaled } from '../test/support/cpu.ts';
import { SemVer } from './semver.ts';

const parse = (text: string): SemVer => {
  const version = SemVer.parse(text);
  assert.ok(version !== undefined, text);
  return version;
};

describe('SemVer', () => {
  it('accepts what semver.org accepts', () => {
    const good = [
      '0.0.0',
      '1.36.0',
      '1.10.0-alpha.1',
      '1.0.0-0A.is.legal',
      '1.0.0--',
      '1.0.0+0.build.1-rc',
    ];
    good.push(
      '1.0.0-alpha-a.b-c-somethinglong+build.1-aef.1',
      '1.1.2+meta-valid',
      '1.0.0+01',
      '18446744073709551615.0.0',
    );
    for (const text of good) assert.equal(parse(text).toString(), text);
  });

  it('refuses everything else', () => {
    const bad = [
      '',
      '1',
      '1.2',
      '1.2.3.4',
      'v1.2.3',
      'V1.2.3',
      '01.2.3',
      '1.02.3',
      '1.2.03',
      '1.2.-3',
      '+1.2.3',
    ];
    bad.push(
      '1.2.3-',
      '1.2.3+',
      '1.2.3-01',
      '1.2.3-a..b',
      '1.2.3-a+',
      '1.2.3+a..b',
      '1.2.3+a+b',
      '1.2.3-ü',
    );
    bad.push(
      ' 1.2.3',
      '1.2.3 ',
      '1.2.x',
      '1.2.3-a_b',
      '18446744073709551616.0.0',
      '1.2.3-18446744073709551616',
    );
    for (const text of bad) assert.equal(SemVer.parse(text), undefined, text);
  });

  it('orders by precedence', () => {
    const sorted = [
      '0.9.9',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
    ];
    sorted.push('1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.9.0', '1.10.0', '9007199254740993.0.0');
    for (const [i, a] of sorted.entries()) {
      for (const [j, b] of sorted.entries()) {
        assert.equal(parse(a).compare(parse(b)), Math.sign(i - j), `${a} ${b}`);
      }
    }
    assert.equal(parse('1.36.0+build.5').compare(parse('1.36.0')), 0);
    assert.ok(parse('9007199254740992.0.0').isLessThan(parse('9007199254740993.0.0')));
    assert.ok(parse('1.10.0').isGreaterThan(parse('1.9.0')));
  });

  it('completes short versions on request', () => {
    const cases: Record<string, string | undefined> = {
      v1: '1.0.0',
      'v1.2': '1.2.0',
      '01.02.03': '1.2.3',
      '1.2.3-rc.1+b': '1.2.3-rc.1+b',
      '00.0.0': '0.0.0',
      '1.2.003-a': '1.2.3-a',
      '1-a': undefined,
      '1.2+b': undefined,
      vv1: undefined,
      '': undefined,
      '1.': undefined,
    };
    for (const [text, expected] of Object.entries(cases)) {
      assert.equal(SemVer.parseTolerant(text)?.toString(), expected, text);
    }
  });

  const identifier = fc.constantFrom('0', '1', '2', '11', 'a', 'alpha', 'A', '-', '1a', 'rc-1');
  const version = fc
    .tuple(
      fc.tuple(fc.nat(12), fc.nat(12), fc.nat(3)),
      fc.array(identifier, { maxLength: 3 }),
      fc.array(identifier, { maxLength: 2 }),
    )
    .map(
      ([core, pre, build]) =>
        core.join('.') +
        (pre.length === 0 ? '' : `-${pre.join('.')}`) +
        (build.length === 0 ? '' : `+${build.join('.')}`),
    );

  it('agrees with the semver package outside its known errors (property)', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        assert.equal(parse(a).compare(parse(b)), semver.compare(a, b));
        assert.equal(parse(a).toString(), a);
      }),
      { numRuns: 1000 },
    );
    const text = fc.string({
      unit: fc.constantFrom('0', '1', '.', '-', '+', 'a', 'x'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (t) => {
        assert.equal(SemVer.parse(t) !== undefined, semver.valid(t) !== null);
      }),
      { numRuns: 3000 },
    );
  });

  it('takes linear time on hostile texts', () => {
    const start = cpuMs();
    for (const unit of ['1', '.', '-', '+', '1.', 'a.', '0']) {
      SemVer.parse(`1.2.3-${unit.repeat(1_000_000)}`);
      SemVer.parse(unit.repeat(1_000_000));
      SemVer.parseTolerant(unit.repeat(1_000_000));
    }
    assert.ok(cpuMs() - start < scaled(5000));
  });
});
