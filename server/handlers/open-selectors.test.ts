import assert from 'node:assert/strict';
import { OpenSelectors } from './open-selectors.ts';

describe('selectors of open watches', () => {
  const sent = (i: number, terms = 1_000) => ({
    labelSelector: Array.from({ length: terms }, (_, k) => `k${k}!=v${i}`).join(','),
    fieldSelector: '',
    filter: '',
  });

  it('have a bound for each user, which different ones reach and equal ones do not', () => {
    const open = new OpenSelectors();
    const closes = Array.from({ length: 100 }, (_, i) => open.open('a', sent(i)));
    for (let i = 0; i < 1_000; i++) closes.push(open.open('a', sent(0)));
    open.check('a', sent(7));
    open.check('b', sent(100));
    assert.throws(() => open.check('a', sent(100)), {
      code: 429,
      message: /"a" would have 101000 terms and values: limit is 100000/,
    });
    for (const close of closes) close();
    open.check('a', sent(100));
  });

  it('are not counted when they are short', () => {
    const open = new OpenSelectors();
    for (let i = 0; i < 20_000; i++) open.open('a', sent(i, 9));
    open.check('a', sent(0));
  });

  it('count fields as they count labels', () => {
    const open = new OpenSelectors();
    const fields = (i: number) => ({
      labelSelector: '',
      fieldSelector: Array.from({ length: 1_000 }, (_, k) => `metadata.name!=v${k}-${i}`).join(','),
      filter: '',
    });
    for (let i = 0; i < 100; i++) open.open('a', fields(i));
    assert.throws(() => open.check('a', fields(100)), { code: 429 });
  });
});
