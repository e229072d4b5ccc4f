import assert from 'node:assert/strict';
import { parseLabelSelector } from '../api/selectors/label-parser.ts';
import { SharedSelectors } from './shared-selectors.ts';

describe('selectors with equal texts', () => {
  const text = (i: number): string =>
    Array.from({ length: 100 }, (_, k) => `key${k}!=value${i}`).join(',');

  it('share one while a watch holds it, however many others come between', () => {
    let parsed = 0;
    const selectors = new SharedSelectors(
      (sent) => {
        parsed++;
        return parseLabelSelector(sent);
      },
      2 * text(0).length,
    );
    const held = selectors.get(text(0));
    for (let i = 1; i <= 10; i++) selectors.get(text(i));
    assert.ok('selector' in held);
    const again = selectors.get(text(0));
    assert.ok('selector' in again && again.selector === held.selector);
    assert.equal(parsed, 11);
  });

  it('are refused each time when they cannot be read', () => {
    const selectors = new SharedSelectors(parseLabelSelector);
    for (let i = 0; i < 2; i++) assert.ok('error' in selectors.get('a b'));
  });
});
