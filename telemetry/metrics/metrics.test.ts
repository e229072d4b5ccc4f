import assert from 'node:assert/strict';
import type { Clock } from '../../api/clock.ts';
import { Catalog } from '../../registry/catalog.ts';
import { namespaceDefinition } from '../../resources/core/namespace.ts';
import { leaseDefinition } from '../../resources/coordination/lease.ts';
import { ALL_FEATURE_GATES } from '../../resources/feature-gates.ts';
import { customDefinition, requestOf } from '../../discovery/testing/definitions.ts';
import { CellFamily, HistogramFamily, MAX_SERIES } from './family.ts';
import { Metrics } from './metrics.ts';
import { Peak } from './peak.ts';
import type { RequestKey } from './request-labels.ts';
import { MAX_REQUEST_SERIES, type FinishedRequest } from './request-metrics.ts';

let now = 0;
const clock: Clock = { now: () => now, monotonic: () => now, after: () => () => undefined };

const GET_LEASE: FinishedRequest = {
  verb: 'get',
  group: 'coordination.cluster.io',
  version: 'v1',
  resource: 'leases',
  subresource: '',
  scope: 'resource',
  code: 200,
  seconds: 0.003,
  responseBytes: 1500,
  dryRun: '',
};

function metricsOf(): { catalog: Catalog; metrics: Metrics } {
  const catalog = new Catalog([namespaceDefinition, leaseDefinition(ALL_FEATURE_GATES)]);
  return { catalog, metrics: new Metrics({ served: catalog, clock }) };
}

async function textOf(metrics: Metrics, url = '/metrics'): Promise<string> {
  const response = metrics.handle(requestOf(url));
  assert.ok(response !== undefined);
  assert.equal(response.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  if (response.body instanceof Buffer) return response.body.toString();
  let text = '';
  for await (const piece of response.body as AsyncIterable<Buffer>) text += piece.toString();
  return text;
}

/** Values of all lines that begin with this, by the rest of the line's head. */
async function valuesOf(metrics: Metrics, name: string): Promise<Record<string, number>> {
  const values: Record<string, number> = {};
  for (const line of (await textOf(metrics)).split('\n')) {
    const [, labels, value] = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    if (labels?.replace(/\{.*/, '') === name) values[labels.slice(name.length)] = Number(value);
  }
  return values;
}

describe('metrics', () => {
  it('have the standard names and types before the first request', async () => {
    const { metrics } = metricsOf();
    const text = await textOf(metrics);
    for (const type of [
      'apiserver_request_total counter',
      'apiserver_request_duration_seconds histogram',
      'apiserver_request_sli_duration_seconds histogram',
      'apiserver_response_sizes histogram',
      'apiserver_current_inflight_requests gauge',
      'apiserver_current_inqueue_requests gauge',
      'apiserver_longrunning_requests gauge',
      'apiserver_request_terminations_total counter',
      'apiserver_request_aborts_total counter',
      'apiserver_requested_deprecated_apis gauge',
      'apiserver_watch_events_total counter',
      'apiserver_watch_events_sizes histogram',
      'apiserver_watch_list_duration_seconds histogram',
      'apiserver_tls_handshake_errors_total counter',
      'authentication_attempts counter',
      'authorization_attempts_total counter',
      'field_validation_request_duration_seconds histogram',
      'apiserver_admission_step_admission_duration_seconds histogram',
      'apiserver_admission_webhook_rejection_count counter',
      'apiserver_audit_event_total counter',
    ]) {
      assert.ok(text.includes(`# TYPE ${type}\n`), type);
    }
    assert.match(text, /^apiserver_current_inflight_requests\{request_kind="mutating"\} 0$/m);
    assert.match(text, /^apiserver_tls_handshake_errors_total 0$/m);
  });

  it('counts a request in every way', async () => {
    const { metrics } = metricsOf();
    metrics.requests.observe(GET_LEASE);
    metrics.requests.observe({ ...GET_LEASE, seconds: 0.3, waitedSeconds: 0.25, code: 404 });
    const labels =
      'group="coordination.cluster.io",version="v1",resource="leases",subresource="",scope="resource",component="apiserver"';
    assert.deepEqual(await valuesOf(metrics, 'apiserver_request_total'), {
      [`{verb="GET",dry_run="",${labels},code="200"}`]: 1,
      [`{verb="GET",dry_run="",${labels},code="404"}`]: 1,
    });
    const buckets = await valuesOf(metrics, 'apiserver_request_duration_seconds_bucket');
    const bucket = (le: string) => buckets[`{verb="GET",dry_run="",${labels},le="${le}"}`];
    assert.deepEqual(['0.0025', '0.005', '0.2', '0.4', '+Inf'].map(bucket), [0, 1, 1, 2, 2]);
    assert.deepEqual(await valuesOf(metrics, 'apiserver_request_duration_seconds_count'), {
      [`{verb="GET",dry_run="",${labels}}`]: 2,
    });
    const sli = await valuesOf(metrics, 'apiserver_request_sli_duration_seconds_bucket');
    assert.equal(sli[`{verb="GET",${labels},le="0.05"}`], 2);
    const sizes = await valuesOf(metrics, 'apiserver_response_sizes_sum');
    assert.deepEqual(sizes, { [`{verb="GET",${labels}}`]: 3000 });
  });

  const verbs: [string, string][] = [
    ['get', 'GET'],
    ['list', 'LIST'],
    ['watch', 'WATCH'],
    ['create', 'POST'],
    ['update', 'PUT'],
    ['patch', 'PATCH'],
    ['apply', 'APPLY'],
    ['deletecollection', 'DELETE'],
    ['PROPFIND', 'other'],
  ];
  for (const [verb, label] of verbs) {
    it(`knows ${verb} as ${label}, as alert rules do`, async () => {
      const { metrics } = metricsOf();
      metrics.requests.observe({ ...GET_LEASE, verb });
      const [series] = Object.keys(await valuesOf(metrics, 'apiserver_request_total'));
      assert.ok(series?.startsWith(`{verb="${label}",`), series);
    });
  }

  it('keeps dry runs apart, and out of the service level', async () => {
    const { metrics } = metricsOf();
    metrics.requests.observe({ ...GET_LEASE, verb: 'create', dryRun: 'All' });
    const [series] = Object.keys(await valuesOf(metrics, 'apiserver_request_total'));
    assert.ok(series?.includes('dry_run="All"'));
    const sli = await valuesOf(metrics, 'apiserver_request_sli_duration_seconds_count');
    assert.deepEqual(sli, {});
  });

  it('counts other paths than resources by their first part', async () => {
    const { metrics } = metricsOf();
    const path = { group: '', version: '', resource: '', scope: '' } as const;
    for (const subresource of ['/healthz', '/openapi', '/openapi/v3/apis/a/v1', '/.env', '']) {
      metrics.requests.observe({ ...GET_LEASE, ...path, subresource });
    }
    const values = await valuesOf(metrics, 'apiserver_request_total');
    const counts = Object.entries(values).map(([series, value]) => [
      /subresource="([^"]*)"/.exec(series)?.[1],
      value,
    ]);
    assert.deepEqual(Object.fromEntries(counts), {
      '/healthz': 1,
      '/openapi': 2,
      other: 1,
      '': 1,
    });
  });

  describe('whatever clients ask for', () => {
    it('create no series for names that are not served', async () => {
      const { metrics } = metricsOf();
      for (let i = 0; i < 3000; i++) {
        const hostile: RequestKey[] = [
          { ...GET_LEASE, verb: `V${i}` },
          { ...GET_LEASE, group: `g${i}` },
          { ...GET_LEASE, version: `v${i}` },
          { ...GET_LEASE, resource: `r${i}"\n` },
          { ...GET_LEASE, subresource: `s${i}` },
          { ...GET_LEASE, resource: '', subresource: `/p${i}` },
          { ...GET_LEASE, resource: '', subresource: `/healthz/p${i}` },
        ];
        for (const key of hostile) {
          metrics.requests.observe({ ...GET_LEASE, ...key });
          metrics.load.terminated(key, 429);
          metrics.load.aborted(key);
          metrics.load.longRunning(key)();
          metrics.watches.eventsOf(key.group, key.version, key.resource).sent(10);
        }
      }
      const lines = (await textOf(metrics)).split('\n');
      assert.ok(lines.length < 1000, `${lines.length} lines`);
      const total = await valuesOf(metrics, 'apiserver_request_total');
      assert.equal(
        Object.values(total).reduce((a, b) => a + b, 0),
        21_000,
        'and yet every request is counted',
      );
    });

    it('stay bounded with any number of resources, and forget those that are gone', async () => {
      const { catalog, metrics } = metricsOf();
      const serve = (prefix: string): void => {
        const custom = Array.from({ length: MAX_REQUEST_SERIES + 500 }, (_, i) =>
          customDefinition({ group: 'a.io', kind: `${prefix}${i}` }),
        );
        catalog.setCustom(new Map(custom.map((d) => [d.names.plural, d])));
        for (const { names } of custom) {
          metrics.requests.observe({ ...GET_LEASE, group: 'a.io', resource: names.plural });
        }
      };
      serve('Old');
      let values = await valuesOf(metrics, 'apiserver_request_total');
      assert.equal(Object.keys(values).length, MAX_REQUEST_SERIES + 1);
      assert.equal(values[Object.keys(values).find((s) => s.includes('group="other"')) ?? ''], 500);
      serve('New');
      values = await valuesOf(metrics, 'apiserver_request_total');
      assert.equal(Object.keys(values).filter((s) => s.includes('resource="old')).length, 0);
      assert.equal(Object.keys(values).length, MAX_REQUEST_SERIES + 1);
    });

    it('share one series beyond the last bound', () => {
      const family = new CellFamily('x', 'counter', 'x', ['a', 'b']);
      for (let i = 0; i < MAX_SERIES + 10; i++) family.with(String(i), 'b').value++;
      assert.equal(family.size, MAX_SERIES + 1);
      assert.equal(family.with('other', 'other').value, 10);
    });
  });

  it('show labels as the format wants them', () => {
    const family = new CellFamily('x', 'counter', 'help', ['a']);
    family.with('a"b\\c\nd').value = 2;
    assert.deepEqual(
      [...family.lines()],
      ['# HELP x help\n# TYPE x counter\n', 'x{a="a\\"b\\\\c\\nd"} 2\n'],
    );
    const histogram = new HistogramFamily('h', 'help', [1, 2], []);
    for (const value of [1, 1.5, 9]) histogram.with().observe(value);
    assert.deepEqual([...histogram.lines()].slice(1), [
      'h_bucket{le="1"} 1\nh_bucket{le="2"} 2\nh_bucket{le="+Inf"} 3\nh_sum 11.5\nh_count 3\n',
    ]);
  });

  it('show the most requests of the last second', () => {
    now = 0;
    const peak = new Peak(clock);
    peak.enter();
    peak.enter();
    peak.leave();
    assert.deepEqual([peak.current, peak.peak], [1, 2]);
    now = 1200;
    assert.equal(peak.peak, 2, 'the second before');
    now = 2300;
    assert.equal(peak.peak, 1);
    peak.leave();
    now = 9000;
    assert.equal(peak.peak, 0);
  });

  it('count what is executing, waiting and long-running, and the end of a long one once', async () => {
    const { metrics } = metricsOf();
    const done = metrics.load.longRunning({ ...GET_LEASE, verb: 'watch' });
    for (const kind of ['readOnly', 'mutating', 'mutating'] as const) metrics.load.entered(kind);
    metrics.load.enteredQueue('readOnly');
    assert.deepEqual(await valuesOf(metrics, 'apiserver_current_inflight_requests'), {
      '{request_kind="readOnly"}': 1,
      '{request_kind="mutating"}': 2,
    });
    assert.deepEqual(Object.values(await valuesOf(metrics, 'apiserver_longrunning_requests')), [1]);
    for (const kind of ['readOnly', 'mutating', 'mutating'] as const) metrics.load.left(kind);
    metrics.load.leftQueue('readOnly');
    done();
    done();
    assert.deepEqual(Object.values(await valuesOf(metrics, 'apiserver_longrunning_requests')), [0]);
    now += 5_000;
    const inflight = await valuesOf(metrics, 'apiserver_current_inflight_requests');
    assert.deepEqual(Object.values(inflight), [0, 0]);
  });

  it('count events, access and admission', async () => {
    const { metrics } = metricsOf();
    const events = metrics.watches.eventsOf('', 'v1', 'namespaces');
    events.sent(100);
    events.sent(3000);
    const gvr = { group: '', version: 'v1', resource: 'namespaces' };
    metrics.watches.initialState({ ...gvr, scope: 'cluster' }, 0.1);
    metrics.access.authenticated('success', 0.001);
    metrics.access.authorized('denied', 0.001);
    metrics.access.deprecatedApi(gvr, 'status');
    metrics.access.tlsHandshakeFailed();
    metrics.access.auditEvent();
    metrics.access.fieldValidation('Strict', 0.2);
    const call = {
      name: 'w',
      type: 'admit',
      operation: 'CREATE',
      rejected: true,
      seconds: 1,
    } as const;
    metrics.admission.step(call);
    metrics.admission.plugin(call);
    metrics.admission.webhook(call, 200);
    metrics.admission.webhookRejected(call, 'no_error', 403);
    metrics.admission.webhookFailedOpen(call);
    const text = await textOf(metrics);
    for (const line of [
      'apiserver_watch_events_total{group="",version="v1",resource="namespaces"} 2',
      'apiserver_watch_events_sizes_bucket{group="",version="v1",resource="namespaces",le="1024"} 1',
      'apiserver_watch_list_duration_seconds_count{group="",version="v1",resource="namespaces",scope="cluster"} 1',
      'authentication_attempts{result="success"} 1',
      'authorization_attempts_total{result="denied"} 1',
      'apiserver_requested_deprecated_apis{group="",version="v1",resource="namespaces",subresource="status",removed_release=""} 1',
      'apiserver_tls_handshake_errors_total 1',
      'apiserver_audit_event_total 1',
      'field_validation_request_duration_seconds_count{field_validation="Strict"} 1',
      'apiserver_admission_step_admission_duration_seconds_count{type="admit",operation="CREATE",rejected="true"} 1',
      'apiserver_admission_webhook_request_total{name="w",type="admit",operation="CREATE",rejected="true",code="200"} 1',
      'apiserver_admission_webhook_rejection_count{name="w",type="admit",operation="CREATE",error_type="no_error",rejection_code="403"} 1',
      'apiserver_admission_webhook_fail_open_count{name="w",type="admit"} 1',
    ]) {
      assert.ok(text.includes(`\n${line}\n`), line);
    }
  });

  it('show health checks apart', async () => {
    const { metrics } = metricsOf();
    metrics.health.observe('readyz', 'etcd', true);
    metrics.health.observe('readyz', 'etcd', false);
    const text = await textOf(metrics, '/metrics/slis');
    assert.match(text, /^kubernetes_healthcheck\{name="etcd",type="readyz"\} 0$/m);
    assert.match(text, /^kubernetes_healthchecks_total\{.*status="success"\} 1$/m);
    assert.doesNotMatch(text, /apiserver_request_total/);
  });

  it('are read-only', () => {
    const { metrics } = metricsOf();
    assert.equal(metrics.handle(requestOf('/metricsx')), undefined);
    assert.throws(() => metrics.handle(requestOf('/metrics', { method: 'POST' })), { code: 405 });
  });
});
