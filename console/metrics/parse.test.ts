import assert from 'node:assert/strict';
import { buckets, parseMetrics, quantile, total } from './parse.ts';

describe('metrics', () => {
  const text = [
    '# HELP a Something.',
    'a{code="200",path="a\\"b}"} 3',
    'a{code="500"} 1 1700000000',
    'other 9',
    'plain 1.5e3',
    'h_bucket{le="0.1",verb="GET"} 5',
    'h_bucket{le="1",verb="GET"} 9',
    'h_bucket{le="+Inf",verb="GET"} 10',
  ].join('\n');
  const samples = parseMetrics(text, new Set(['a', 'plain', 'h_bucket']));

  it('are read by name, with labels of any value', () => {
    assert.equal(total(samples, 'a'), 4);
    assert.equal(
      total(samples, 'a', ({ path }) => path === 'a"b}'),
      3,
    );
    assert.equal(total(samples, 'plain'), 1500);
    assert.ok(samples.every(({ name }) => name !== 'other'));
  });

  it('give quantiles of the observations between two scrapes', () => {
    const after = buckets(samples, 'h_bucket', () => true);
    assert.equal(quantile(0.5, new Map(), after), 0.1);
    assert.ok(Math.abs((quantile(0.7, new Map(), after) ?? 0) - 0.55) < 1e-9);
    assert.equal(quantile(0.99, new Map(), after), 1);
    assert.equal(quantile(0.5, after, after), undefined);
  });
});
