import assert from 'node:assert/strict';
import { API_ENVIRONMENT } from '../environments.ts';
import { BOOL, DURATION } from '../value/type.ts';
import { PatternBudget } from '../value/pattern-budget.ts';
import { cpuMs, scaled } from '../../test/support/cpu.ts';

/** In CPU: all patterns of one of these would take seconds. */
const MAX_MS = 1_000;
const COUNT = 100;
const REFUSAL = /the patterns of this expression would take too long to compile/;

/** Takes some 50 ms to compile, as estimated. */
const heavy = (i: number): string => `(?i)${'[\u0100-\uffff]'.repeat(29)}${i}`;
const joined = (term: (i: number) => string, count = COUNT): string =>
  Array.from({ length: count }, (_, i) => term(i)).join(' || ');

const environment = API_ENVIRONMENT.extend({ variables: { self: DURATION } });

describe('literal patterns of an expression', () => {
  const WAYS: Readonly<Record<string, (pattern: string) => string>> = {
    'a call on a text': (pattern) => `'a'.matches('${pattern}')`,
    'a call of the function': (pattern) => `matches('a', '${pattern}')`,
    'a call by the full name': (pattern) => `.matches('a', '${pattern}')`,
    find: (pattern) => `'a'.find('${pattern}') == 'a'`,
    findAll: (pattern) => `'a'.findAll('${pattern}').size() == 1`,
    'findAll with a limit': (pattern) => `'a'.findAll('${pattern}', 1).size() == 1`,
    'a text of a text': (pattern) => `'a'.matches(string(string('${pattern}')))`,
    'a text of bytes': (pattern) => `'a'.matches(string(b'${pattern}'))`,
    'a text that may be anything': (pattern) => `'a'.matches(dyn('${pattern}'))`,
    'a macro': (pattern) => `['a'].exists(text, text.matches('${pattern}'))`,
  };
  for (const [what, term] of Object.entries(WAYS)) {
    it(`ReDoS: are refused before compilation when they are too large: ${what}`, () => {
      const began = cpuMs();
      const compiled = API_ENVIRONMENT.compile(joined((i) => term(heavy(i))));
      assert.ok(cpuMs() - began < scaled(MAX_MS));
      assert.ok(!compiled.ok);
      assert.equal(compiled.phase, 'check');
      assert.match(compiled.message, REFUSAL);
      assert.equal(compiled.issues.length, 1);
    });
  }

  it('are counted once however often they occur; refused patterns are not counted', () => {
    const same = API_ENVIRONMENT.compile(joined(() => `'a'.matches('${heavy(0)}')`));
    assert.equal(same.ok, true);
    const wrong = API_ENVIRONMENT.compile(
      joined(() => `'a'.matches('${'\\\\pL'.repeat(5_000)}')`, 3),
    );
    assert.match(wrong.ok ? '' : wrong.message, /invalid matches argument/);
    assert.doesNotMatch(wrong.ok ? '' : wrong.message, REFUSAL);
  });

  it('are counted over all expressions of an object, also invalid ones', () => {
    for (const rest of ['', ' ? 1 : 2', " && [1, 'a'].size() == 2", " && duration('x') > self"]) {
      const patterns = new PatternBudget(1_000);
      const text = `'a'.matches('[a-z]+')${rest}`;
      const compiled = environment.compile(text, { result: BOOL, patterns });
      assert.equal(compiled.ok, rest === '', text);
      assert.equal(patterns.isExceeded, true, text);
    }
  });
});
