import assert from 'node:assert/strict';
import { Sampler } from './sampler.ts';

/** What the server says after so many requests of each kind, all within 0.1 s. */
function textOf(reads: number, writes: number, own: number): string {
  const lines = (labels: string, count: number): string[] => [
    `apiserver_request_total{${labels},code="200"} ${count}`,
    `apiserver_request_duration_seconds_bucket{${labels},le="0.1"} ${count}`,
    `apiserver_request_duration_seconds_bucket{${labels},le="+Inf"} ${count}`,
  ];
  return [
    ...lines('verb="LIST",resource="configmaps",subresource=""', reads),
    ...lines('verb="PUT",resource="configmaps",subresource=""', writes),
    ...lines('verb="WATCH",resource="configmaps",subresource=""', 100),
    ...lines('verb="GET",resource="",subresource="/metrics"', own),
  ].join('\n');
}

describe('a moment of the graphs', () => {
  it('has the rates and the latency of the requests since the one before', () => {
    const sampler = new Sampler();
    const first = sampler.take(textOf(5, 5, 0), 1_000);
    assert.deepEqual([first.reads, first.writes, first.p50], [undefined, undefined, undefined]);
    const { reads, writes, p50 } = sampler.take(textOf(15, 10, 1), 6_000);
    assert.deepEqual([reads, writes], [2, 1]);
    assert.ok(p50 !== undefined && Math.abs(p50 - 0.05) < 1e-9);
  });

  it('leaves out the readings that make the graphs', () => {
    const sampler = new Sampler();
    sampler.take(textOf(5, 5, 1), 0);
    const { reads, writes, p50, p99 } = sampler.take(textOf(5, 5, 9), 5_000);
    assert.deepEqual([reads, writes, p50, p99], [0, 0, undefined, undefined]);
  });
});
