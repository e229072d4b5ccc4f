import assert from 'node:assert/strict';
import type { Clock } from '../../api/clock.ts';
import type { FrameSink } from '../../watch/frame-sink.ts';
import { Catalog } from '../../registry/catalog.ts';
import { namespaceDefinition } from '../../resources/core/namespace.ts';
import { requestOf, type RequestInit } from '../../discovery/testing/definitions.ts';
import { jsonResponse, type ApiResponse, type PushedBody } from '../../http/message.ts';
import { Exchange, framed } from '../../http/exchange.ts';
import { requestInfoOf } from '../../http/request-info.ts';
import { Metrics } from './metrics.ts';
import { requestMetricsFrame } from './request-stage.ts';

let now = 0;
const clock: Clock = { now: () => now, monotonic: () => now, after: () => () => undefined };

async function run(
  metrics: Metrics,
  url: string,
  init: RequestInit,
  answer: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const request = requestOf(url, init);
  const info = requestInfoOf(request.method, request.rawPath, request.query);
  assert.ok(info !== undefined);
  const exchange = new Exchange(request, info, now);
  return framed([requestMetricsFrame(metrics, clock)]).handle(exchange, answer);
}

async function linesOf(metrics: Metrics): Promise<string[]> {
  const { body } = metrics.handle(requestOf('/metrics'))!;
  let text = '';
  for await (const piece of body as AsyncIterable<Buffer>) text += piece.toString();
  return text.split('\n');
}

const LABELS = 'group="",version="v1",resource="namespaces",subresource=""';

describe('the stage that counts requests', () => {
  let metrics: Metrics;
  const has = async (...wanted: string[]): Promise<void> => {
    const lines = await linesOf(metrics);
    for (const line of wanted) {
      const name = line.slice(0, line.indexOf('{'));
      const others = lines.filter((l) => l.startsWith(name) && !l.includes('_bucket')).join('\n');
      assert.ok(lines.includes(line), `${line}\n${others}`);
    }
  };
  const inflight = async (): Promise<number> => {
    now += 5_000;
    const lines = await linesOf(metrics);
    const counts = lines.filter((l) => l.startsWith('apiserver_current_inflight_requests{'));
    return counts.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
  };

  beforeEach(() => {
    now = 0;
    metrics = new Metrics({ served: new Catalog([namespaceDefinition]), clock });
  });

  it('counts an answer with its code, size and time', async () => {
    const body = Buffer.alloc(1500);
    await run(metrics, '/api/v1/namespaces/a', {}, () => {
      now += 300;
      return Promise.resolve({ status: 404, headers: {}, body });
    });
    const labels = `${LABELS},scope="resource",component="apiserver"`;
    await has(
      `apiserver_request_total{verb="GET",dry_run="",${labels},code="404"} 1`,
      `apiserver_request_duration_seconds_sum{verb="GET",dry_run="",${labels}} 0.3`,
      `apiserver_response_sizes_sum{verb="GET",${labels}} 1500`,
    );
    assert.equal(await inflight(), 0);
  });

  it('tells apply, dry runs and the level of validation', async () => {
    await run(
      metrics,
      '/api/v1/namespaces/a?dryRun=All&fieldValidation=Strict',
      { method: 'PATCH', headers: { 'content-type': 'application/apply-patch+yaml' } },
      () => Promise.resolve(jsonResponse(200, {})),
    );
    await run(metrics, '/api/v1/namespaces?fieldValidation=no', { method: 'POST' }, () =>
      Promise.resolve(jsonResponse(422, {})),
    );
    await has(
      `apiserver_request_total{verb="APPLY",dry_run="All",${LABELS},scope="resource",component="apiserver",code="200"} 1`,
      `apiserver_request_total{verb="POST",dry_run="",${LABELS},scope="resource",component="apiserver",code="422"} 1`,
      'field_validation_request_duration_seconds_count{field_validation="Strict"} 1',
      'field_validation_request_duration_seconds_count{field_validation="invalid"} 1',
    );
  });

  it('counts a list to its last byte', async () => {
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(1000);
      now += 500;
      yield await Promise.resolve(Buffer.alloc(2000));
    }
    const { body } = await run(metrics, '/api/v1/namespaces', {}, () =>
      Promise.resolve({ status: 200, headers: {}, body: pieces() }),
    );
    metrics.load.entered('readOnly');
    metrics.load.left('readOnly');
    assert.ok(
      (await linesOf(metrics)).includes(
        'apiserver_current_inflight_requests{request_kind="readOnly"} 2',
      ),
    );
    let size = 0;
    for await (const piece of body as AsyncIterable<Buffer>) size += piece.length;
    assert.equal(size, 3000);
    const labels = `${LABELS},scope="cluster",component="apiserver"`;
    await has(
      `apiserver_request_duration_seconds_sum{verb="LIST",dry_run="",${labels}} 0.5`,
      `apiserver_response_sizes_sum{verb="LIST",${labels}} 3000`,
    );
    assert.equal(await inflight(), 0);
  });

  it('counts and releases a list whose client disconnects, before or after its start', async () => {
    for (const started of [true, false]) {
      let released = false;
      const source: AsyncIterableIterator<Buffer> = {
        [Symbol.asyncIterator]: () => source,
        next: () => Promise.resolve({ done: false, value: Buffer.alloc(10) }),
        return: () => {
          released = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      };
      const { body } = await run(metrics, '/api/v1/namespaces', {}, () =>
        Promise.resolve({ status: 200, headers: {}, body: source }),
      );
      const iterator = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
      if (started) await iterator.next();
      await iterator.return?.();
      assert.ok(released);
    }
    assert.equal(await inflight(), 0);
    await has(
      `apiserver_request_total{verb="LIST",dry_run="",${LABELS},scope="cluster",component="apiserver",code="200"} 2`,
    );
  });

  it('passes a failing list on, and ends it', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.alloc(1));
      throw new Error('broken');
    }
    const { body } = await run(metrics, '/api/v1/namespaces', {}, () =>
      Promise.resolve({ status: 200, headers: {}, body: failing() }),
    );
    await assert.rejects(async () => {
      for await (const piece of body as AsyncIterable<Buffer>) assert.equal(piece.length, 1);
    }, /broken/);
    assert.equal(await inflight(), 0);
  });

  it('counts a watch as long-running while it is open, and its events', async () => {
    let push: FrameSink['write'] = () => false;
    const source: PushedBody = {
      start(sink) {
        push = (frame, lengths) => sink.write(frame, lengths);
        return { resume: () => undefined, close: () => undefined };
      },
    };
    const { body } = await run(metrics, '/api/v1/namespaces?watch=1', {}, () =>
      Promise.resolve({ status: 200, headers: {}, body: source }),
    );
    assert.equal(await inflight(), 0);
    const control = (body as PushedBody).start({ write: () => true, end: () => undefined });
    assert.equal(push(Buffer.alloc(400)), true, 'back-pressure goes through');
    push(Buffer.alloc(600), [100, 500]);
    push(Buffer.alloc(10), []);
    const labels = `verb="WATCH",${LABELS},scope="cluster",component="apiserver"`;
    await has(
      `apiserver_longrunning_requests{${labels}} 1`,
      'apiserver_watch_events_total{group="",version="v1",resource="namespaces"} 3',
      'apiserver_watch_events_sizes_sum{group="",version="v1",resource="namespaces"} 1000',
    );
    control.close();
    control.close();
    await has(
      `apiserver_longrunning_requests{${labels}} 0`,
      `apiserver_request_total{verb="WATCH",dry_run="",${LABELS},scope="cluster",component="apiserver",code="200"} 1`,
    );
  });

  it('counts a watch whose client has gone before it begins', async () => {
    let discarded = 0;
    const source: PushedBody = {
      start: () => assert.fail('started'),
      discard: () => void discarded++,
    };
    const { body } = await run(metrics, '/api/v1/namespaces?watch=1', {}, () =>
      Promise.resolve({ status: 200, headers: {}, body: source }),
    );
    (body as PushedBody).discard?.();
    assert.equal(discarded, 1);
    await has(
      `apiserver_request_total{verb="WATCH",dry_run="",${LABELS},scope="cluster",component="apiserver",code="200"} 1`,
    );
  });

  it('ends the request when a stage behind it fails', async () => {
    const failed = run(metrics, '/healthz', {}, () => Promise.reject(new Error('bug')));
    await assert.rejects(failed, /bug/);
    assert.equal(await inflight(), 0);
  });

  it('counts documents by the beginning of their path', async () => {
    await run(metrics, '/openapi/v3/api/v1', {}, () => Promise.resolve(jsonResponse(200, {})));
    const [line] = (await linesOf(metrics)).filter((l) => l.startsWith('apiserver_request_total{'));
    assert.ok(line?.includes('subresource="/openapi"'), line);
  });
});
