import assert from 'node:assert/strict';
import { API_ENVIRONMENT } from '../environments.ts';
import type { CelResult } from '../program.ts';
import { STRING } from './type.ts';
import { cpuMs, scaled } from '../../test/support/cpu.ts';
import type { CelValue } from './value.ts';

const BUDGET = 1_000_000;
/** In CPU: what is meant are seconds and minutes. */
const MAX_MS = 3_000;

/** Patterns of which each takes some milliseconds, or megabytes, for its length. */
const HEAVY = {
  'tables of properties': '\\pL',
  'ranges that ignore case': '(?i)[\u0100-\uffff]',
  repetitions: 'a{1000}',
  'optional repetitions': '(?:[a-z]{0,9}){0,90}',
  'repeated properties': '\\pL{1000}',
};

function evaluate(expression: string, variables: Record<string, string> = {}): CelResult {
  const types = Object.fromEntries(Object.keys(variables).map((name) => [name, STRING]));
  const compiled = API_ENVIRONMENT.extend({ variables: types }).compile(expression);
  assert.ok(compiled.ok, compiled.ok ? '' : compiled.message);
  return compiled.program.evaluate(new Map<string, CelValue>(Object.entries(variables)), {
    limit: BUDGET,
  });
}

function inTime(run: () => void): void {
  const began = cpuMs();
  run();
  assert.ok(cpuMs() - began < scaled(MAX_MS));
}

describe('patterns in expressions', () => {
  for (const [what, part] of Object.entries(HEAVY)) {
    const huge = part.repeat(Math.floor(15_000 / part.length));

    it(`ReDoS: ${what} are refused before compilation when they are too large`, () => {
      inTime(() => {
        const literal = API_ENVIRONMENT.compile(`'a'.matches(r'${huge}')`);
        assert.match(literal.ok ? '' : literal.message, /invalid matches argument/);
        const result = evaluate("'a'.matches(pattern)", { pattern: huge });
        assert.match(result.ok ? '' : result.message, /^pattern is too large/);
      });
    });

    it(`ReDoS: ${what} cost steps for each pattern that is compiled`, () => {
      const pattern = part.repeat(5);
      inTime(() => {
        const many = 'lists.range(30000).exists(i, "0".matches(string(i + 1) + pattern))';
        const result = evaluate(many, { pattern });
        assert.equal(result.ok ? '' : result.reason, 'budget');
      });
      const once = 'lists.range(1000).exists(i, "0".matches(pattern))';
      assert.equal(evaluate(once, { pattern }).ok, true, 'one pattern is compiled once');
    });
  }

  it('ReDoS: nested groups cost steps, also unclosed ones', () => {
    for (const pattern of ['('.repeat(1_000), `${'(?:(a)'.repeat(800)}${')'.repeat(800)}`]) {
      assert.ok(evaluate("'a'.find(pattern) == ''", { pattern }).cost > 100_000);
      const literal = API_ENVIRONMENT.compile(`'a'.matches('${pattern.repeat(3)}')`);
      assert.match(literal.ok ? '' : literal.message, /invalid matches argument/);
    }
    const deeper = `${'(?:(a)'.repeat(2_000)}${')'.repeat(2_000)}`;
    const refused = evaluate("'a'.find(pattern)", { pattern: deeper });
    assert.match(refused.ok ? '' : refused.message, /pattern is too large/);
  });

  it('ReDoS: a search that rescans the rest of a string for each match costs steps for it', () => {
    inTime(() => {
      const text = 'a'.repeat(60_000);
      const result = evaluate("size(text.findAll('a+?b|a'))", { text });
      assert.equal(result.ok ? '' : result.reason, 'budget');
      const states = evaluate("text.find('(?:a|b|c){1,1000}$')", { text });
      assert.equal(states.ok ? '' : states.reason, 'budget');
    });
  });

  it('ordinary patterns cost little', () => {
    const name = 'a-name.of-an-object.example.com';
    const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
    const literal = evaluate(`name.matches(r'^${label}(\\.${label})*$')`, { name });
    assert.equal(literal.cost, 69);
    assert.ok(evaluate("name.matches('^' + label + '$')", { name, label }).cost < 200);
    assert.ok(evaluate("name.find('[a-z]+')", { name }).cost < 50);
    const found = evaluate("size(text.findAll('[a-z]+'))", { text: 'ab '.repeat(300) });
    assert.ok(found.ok);
    assert.equal(found.value, 300);
    assert.ok(found.cost < 20_000);
  });
});
