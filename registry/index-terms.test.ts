import assert from 'node:assert/strict';
import { parseLabelSelector } from '../api/selectors/label-parser.ts';
import type { Entry } from '../watch/entry.ts';
import { labelSource, MAX_INDEXED_CHARACTERS } from '../watch/index/term.ts';
import { indexTerms, labelConditions, type Condition } from './index-terms.ts';

const yes = (): boolean => true;

function conditionsOf(text: string): Condition[] {
  const parsed = parseLabelSelector(text);
  assert.ok('selector' in parsed);
  return labelConditions(parsed.selector, yes);
}

/** The keys and values that an index is asked for. */
const asked = (text: string): unknown[] =>
  indexTerms(conditionsOf(text), yes).map(({ source, values }) => [source.id, values]);

describe('conditions that indexes answer', () => {
  it('name the values of a label, or that it is there', () => {
    assert.deepEqual(asked('a=1,b in (2,3),c'), [
      ['label a', ['1']],
      ['label b', ['2', '3']],
      ['label c', undefined],
    ]);
  });

  it('leave negations out, which objects without the label meet, too', () => {
    assert.deepEqual(asked('a!=1,b notin (2),!c'), []);
  });

  it('have no empty value and none that an index does not hold', () => {
    const long = 'x'.repeat(MAX_INDEXED_CHARACTERS + 1);
    const of = (...values: string[]): number =>
      indexTerms([{ source: labelSource('a'), values, others: () => yes }], yes).length;
    assert.deepEqual([of('a', ''), of('a', long), of('a', long.slice(1))], [0, 0, 1]);
    assert.deepEqual(asked('a='), []);
  });

  it('are at most eight', () => {
    const many = Array.from({ length: 12 }, (_, i) => `k${i}=v`).join();
    assert.equal(asked(many).length, 8);
  });

  it('make the test of the rest once, when it is first asked for', () => {
    let made = 0;
    const others = (): ((entry: Entry) => boolean) => {
      made++;
      return yes;
    };
    const [term] = indexTerms([{ source: labelSource('a'), values: ['1'], others }], yes);
    assert.equal(made, 0);
    const entry = {} as Entry;
    assert.ok(term!.rest(entry) && term!.rest(entry));
    assert.equal(made, 1);
  });
});
