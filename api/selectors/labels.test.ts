import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cpuMs, scaled } from '../../test/support/cpu.ts';
import { parseLabelSelector } from './label-parser.ts';
import { LabelSelector } from './labels.ts';
import { type LabelRequirement, type Labels, parseInt64 } from './requirement.ts';

const parse = (text: string): LabelSelector => {
  const parsed = parseLabelSelector(text);
  if ('error' in parsed) assert.fail(`${text}: ${parsed.error}`);
  return parsed.selector;
};
const errorOf = (text: string): string => {
  const parsed = parseLabelSelector(text);
  return 'error' in parsed ? parsed.error : 'no error';
};

const OBJECTS: Record<string, Labels> = {
  web1: { app: 'web', env: 'prod', tier: '1' },
  web2: { app: 'web', env: 'dev', tier: 'one' },
  api: { app: 'api', env: 'prod', tier: '2', 'example.com/team': 'a' },
  flag: { app: '', canary: 'true' },
  bare: {},
};
const matching = (text: string): string[] =>
  Object.keys(OBJECTS).filter((name) => parse(text).matches(OBJECTS[name]));

describe('label selectors', () => {
  it('match by their operators', () => {
    const cases: Record<string, string[]> = {
      '': ['web1', 'web2', 'api', 'flag', 'bare'],
      ' \t\n ': ['web1', 'web2', 'api', 'flag', 'bare'],
      'app=web': ['web1', 'web2'],
      'app==web': ['web1', 'web2'],
      'app!=web': ['api', 'flag', 'bare'],
      'app=': ['flag'],
      'app in (web)': ['web1', 'web2'],
      'app in(web,api)': ['web1', 'web2', 'api'],
      'app in ( web , api )': ['web1', 'web2', 'api'],
      'app in (web,)': ['web1', 'web2', 'flag'],
      'app in (,web)': ['web1', 'web2', 'flag'],
      'app in (web,,api)': ['web1', 'web2', 'api', 'flag'],
      'app in ()': ['flag'],
      'app notin ()': ['web1', 'web2', 'api', 'bare'],
      'app notin (web,api)': ['flag', 'bare'],
      'app in (a,b,c,d,e,f,web)': ['web1', 'web2'],
      'in in (in)': [],
      'notin notin (in)': ['web1', 'web2', 'api', 'flag', 'bare'],
      app: ['web1', 'web2', 'api', 'flag'],
      '! app': ['bare'],
      'env,!canary': ['web1', 'web2', 'api'],
      'tier>1': ['api'],
      'tier > 0': ['web1', 'api'],
      'tier<10': ['web1', 'api'],
      'tier>0,tier<2': ['web1'],
      'app=web,app=api': [],
      'app,!app': [],
      'app=web,env=prod,tier=1': ['web1'],
      constructor: [],
      '!constructor': ['web1', 'web2', 'api', 'flag', 'bare'],
      'toString!=x': ['web1', 'web2', 'api', 'flag', 'bare'],
    };
    for (const [text, names] of Object.entries(cases))
      assert.deepEqual(matching(text), names, text);
    assert.equal(parse('!a').matches(undefined), true);
    assert.equal(LabelSelector.nothing.matches({}), false);
  });

  it('report errors in the words of kube-apiserver', () => {
    const cases: Record<string, string> = {
      'app=we b': "found 'b', expected: ',' or 'end of string'",
      'tier>=1': "unable to parse requirement: found '=', expected: identifier",
      'team in': "unable to parse requirement: found '' expected: '('",
      'a in b': "unable to parse requirement: found 'b' expected: '('",
      'a in (b': "unable to parse requirement: found '', expected: ',' or ')'",
      'a in (b c)': "unable to parse requirement: found 'c', expected: ',' or ')'",
      'a in (=)': "unable to parse requirement: found '=', expected: ',', ')' or identifier",
      'a b': "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
      'a=b,': "found '', expected: identifier after ','",
      ',a': "found ',', expected: !, identifier, or 'end of string'",
      '!': "unable to parse requirement: found '', expected: identifier",
      '!a=b': "found '=', expected: ',' or 'end of string'",
      'tier>':
        "unable to parse requirement: values[0]: Invalid value: \"\": for 'Gt', 'Lt' operators, the value must be an integer",
      'tier>1.5':
        "unable to parse requirement: values[0]: Invalid value: \"1.5\": for 'Gt', 'Lt' operators, the value must be an integer",
      '/app=web':
        'unable to parse requirement: <nil>: Invalid value: "/app": prefix part must be non-empty',
    };
    for (const [text, error] of Object.entries(cases)) assert.equal(errorOf(text), error, text);
    assert.match(errorOf('app=-web'), /^unable to parse requirement: values\[0\]\[app\]: Invalid/);
    assert.match(errorOf('tier>-1'), /values\[0\]\[tier\]: Invalid value: "-1"/);
    assert.match(
      errorOf('a>-x'),
      /^unable to parse requirement: \[values\[0\]: .*, values\[0\]\[a/,
    );
    assert.match(errorOf('a\0b'), /Invalid value/);
  });

  it('compare numbers exactly', () => {
    const over = parse('n>9007199254740992');
    assert.equal(over.matches({ n: '9007199254740993' }), true);
    assert.equal(over.matches({ n: '9007199254740992' }), false);
    assert.equal(over.matches({ n: '9223372036854775808' }), false); // no int64
    assert.equal(over.matches({ n: '1e300' }), false);
    assert.equal(parseInt64('+7'), 7);
    assert.equal(parseInt64('-9223372036854775808'), -(2n ** 63n));
    assert.equal(parseInt64('9'.repeat(1_000_000)), undefined);
    for (const bad of ['', '+', '1.0', '0x1', ' 1', '1_0'])
      assert.equal(parseInt64(bad), undefined);
  });

  it('have one canonical text for equal conditions', () => {
    assert.equal(parse(' b==1 ,a  in ( z,y ), !c,d').toString(), 'a in (y,z),b==1,!c,d');
    assert.equal(parse('a>1,a<5,a notin (),a!=x').toString(), 'a>1,a<5,a notin (),a!=x');
  });

  it('expose the exact value that they require of a label', () => {
    assert.equal(parse('a=1').requiresExactMatch('a'), '1');
    assert.equal(parse('a in (1)').requiresExactMatch('a'), '1');
    assert.equal(parse('a=').requiresExactMatch('a'), '');
    for (const text of ['a in (1,2)', 'a!=1', 'a', 'b=1', 'a>1']) {
      assert.equal(parse(text).requiresExactMatch('a'), undefined, text);
    }
  });

  const key = fc.constantFrom('a', 'b', 'example.com/c', 'constructor');
  const value = fc.constantFrom('', 'x', 'y', '1', '2', '10');
  const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
    fc.record({
      key,
      operator: fc.constantFrom('=' as const, '==' as const, '!=' as const),
      values: value.map((v) => [v]),
    }),
    fc.record({
      key,
      operator: fc.constantFrom('in' as const, 'notin' as const),
      values: fc.uniqueArray(value, { minLength: 1 }).map((values) => values.sort()),
    }),
    fc.record({
      key,
      operator: fc.constantFrom('exists' as const, '!' as const),
      values: fc.constant([]),
    }),
    fc.record({
      key,
      operator: fc.constantFrom('gt' as const, 'lt' as const),
      values: fc.nat(12).map((n) => [String(n)]),
    }),
  );

  it('read back what they write (property)', () => {
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const selector = LabelSelector.of(requirements);
        const plain = selector.requirements.map((r) => ({ ...r }));
        assert.deepEqual(parse(selector.toString()).requirements, plain);
      }),
    );
  });

  it('match exactly when every requirement does (property)', () => {
    const holds = ({ key: k, operator, values }: LabelRequirement, labels: Labels): boolean => {
      const label = Object.hasOwn(labels, k) ? labels[k] : undefined;
      if (operator === 'exists') return label !== undefined;
      if (operator === '!') return label === undefined;
      if (operator === '!=' || operator === 'notin') {
        return label === undefined || !values.includes(label);
      }
      if (label === undefined) return false;
      if (operator === 'gt') return /^\d+$/.test(label) && Number(label) > Number(values[0]);
      if (operator === 'lt') return /^\d+$/.test(label) && Number(label) < Number(values[0]);
      return values.includes(label);
    };
    fc.assert(
      fc.property(fc.array(requirement), fc.dictionary(key, value), (requirements, labels) => {
        assert.equal(
          LabelSelector.of(requirements).matches(labels),
          requirements.every((r) => holds(r, labels)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('never throw and take linear time (property)', () => {
    const token = fc.constantFrom('a', 'in', '(', ')', ',', '=', '!', '>', ' ', '\0', 'ü', '/');
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), (parts) => {
        parseLabelSelector(parts.join(''));
      }),
    );
    const start = cpuMs();
    for (const unit of ['a', ' ', '(', 'a,', 'a in (b),', '!', '=']) {
      parseLabelSelector(unit.repeat(100_000));
    }
    assert.ok(cpuMs() - start < scaled(5000));
  });
});

describe('label selectors of many terms', () => {
  const KEYS = ['a', 'b', 'c', 'constructor'];
  const VALUES = ['', '1', '2', '10', 'x'];
  const OPERATORS = ['=', '!=', 'in', 'notin', 'exists', '!', 'gt', 'lt'] as const;
  const requirement: fc.Arbitrary<LabelRequirement> = fc
    .record({
      key: fc.constantFrom(...KEYS),
      operator: fc.constantFrom(...OPERATORS),
      values: fc.uniqueArray(fc.constantFrom(...VALUES), { minLength: 1 }),
    })
    .map(({ key, operator, values }) => {
      if (operator === 'exists' || operator === '!') return { key, operator, values: [] };
      if (operator === 'in' || operator === 'notin') return { key, operator, values };
      const [value = ''] = values;
      return { key, operator, values: [operator === 'gt' || operator === 'lt' ? '2' : value] };
    });
  const labels = fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES));

  it('match exactly as their terms one by one', () => {
    fc.assert(
      fc.property(fc.array(requirement, { minLength: 1, maxLength: 14 }), labels, (terms, own) => {
        const oneByOne = terms.every((term) => LabelSelector.of([term]).matches(own));
        assert.equal(LabelSelector.of(terms).matches(own), oneByOne);
      }),
    );
  });

  it('cost in proportion to the labels of an object, not to their terms', () => {
    const terms = Array.from({ length: 999 }, (_, i) => `k${i}!=v,`);
    const selector = parse(`${terms.join('')}a!=1`);
    let reads = 0;
    const labelled: Record<string, string> = { a: '2', b: '3' };
    const own = new Proxy(labelled, {
      get: (target, key) => {
        reads++;
        return target[String(key)] ?? '';
      },
    });
    assert.equal(selector.matches(own), true);
    assert.ok(reads <= 2, `${reads} reads of labels`);
  });

  it('are refused beyond 1,000 terms or 65,536 characters', () => {
    const many = (count: number): string => Array.from({ length: count }, () => '!a').join(',');
    assert.equal(errorOf(many(1_000)), 'no error');
    assert.match(errorOf(many(1_001)), /too many terms: limit is 1000/);
    const values = Array.from({ length: 30_000 }, (_, i) => i).join(',');
    assert.match(errorOf(`a in (${values})`), /has \d+ characters: limit is 65536/);
  });
});
