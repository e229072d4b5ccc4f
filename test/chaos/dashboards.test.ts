import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { TestEtcd } from '../support/etcd.ts';
import { freePorts } from '../support/ports.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');
const TOKEN = 'prometheus-token-0123456789';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
/** Of etcd itself. */
const OF_ETCD = /^etcd_(mvcc|server|disk)_/;

/** A Prometheus that scrapes a server and its etcd as the one of the compose file does. */
describe('what operators look at', function () {
  this.timeout(120_000);
  const scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  let etcd: TestEtcd;
  let plinth: Plinth;
  let prometheus: ChildProcess;
  let url = '';
  let traffic: NodeJS.Timeout;
  let watch: { close: () => void };

  before(async () => {
    const tokens = join(scratch, 'tokens.csv');
    writeFileSync(tokens, `${TOKEN},prometheus,1,"system:monitoring"\n`);
    etcd = await TestEtcd.start({ syncs: true });
    plinth = await Plinth.start({
      args: ['--token-auth-file', tokens, '--etcd-servers', etcd.url],
    });
    const [port] = await freePorts(1);
    url = `http://127.0.0.1:${port}`;
    const config = parse(readFileSync(join(DEPLOY, 'prometheus/prometheus.yml'), 'utf8'));
    config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
    config.scrape_configs = [
      {
        job_name: 'plinth',
        scheme: 'https',
        authorization: { credentials: TOKEN },
        tls_config: { insecure_skip_verify: true },
        static_configs: [{ targets: [new URL(plinth.url).host] }],
      },
      { job_name: 'etcd', static_configs: [{ targets: [new URL(etcd.url).host] }] },
    ];
    writeFileSync(join(scratch, 'prometheus.yml'), stringify(config));
    copyFileSync(join(DEPLOY, 'prometheus/alerts.yml'), join(scratch, 'alerts.yml'));
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(scratch, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(scratch, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    watch = await plinth.watch(`${LEASES}?watch=1`, () => undefined);
    let n = 0;
    traffic = setInterval(() => void work(plinth, n++), 200);
  });
  after(async () => {
    clearInterval(traffic);
    watch.close();
    const ended = new Promise((done) => prometheus.once('exit', done));
    prometheus.kill();
    await ended;
    await plinth.dispose();
    await etcd.dispose();
    rmSync(scratch, { recursive: true });
  });

  const query = async (expression: string): Promise<unknown[]> => {
    const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { status, error, data } = (await answer.json()) as any;
    assert.equal(status, 'success', `${expression}: ${error}`);
    return data.result.filter(({ value }: any) => !Number.isNaN(Number(value[1])));
  };

  it('every panel of the dashboard shows data', async () => {
    const { panels } = JSON.parse(
      readFileSync(join(DEPLOY, 'grafana/dashboards/plinth.json'), 'utf8'),
    );
    assert.ok(panels.length > 20);
    const empty = new Set<string>();
    const look = async (): Promise<boolean> => {
      empty.clear();
      for (const { title, targets } of panels) {
        for (const { expr } of targets) {
          if ((await query(expr)).length === 0) empty.add(`${title}: ${expr}`);
        }
      }
      return empty.size === 0;
    };
    await eventually(() => look().catch(() => false), 'data in every panel').catch(
      (error: unknown) => {
        throw new Error(`nothing to see in ${[...empty].join('\n')}`, { cause: error });
      },
    );
  });

  it('alerts are about what is measured, and none fires on a healthy server', async () => {
    const { groups } = ((await (await fetch(`${url}/api/v1/rules`)).json()) as any).data;
    const rules: any[] = groups.flatMap((group: any) => group.rules);
    assert.ok(rules.length >= 10);
    const ours = (await plinth.get('/metrics')).text;
    const ofEtcd = await (await fetch(`${etcd.url}/metrics`)).text();
    for (const { name, state, query: expression, health, lastError } of rules) {
      assert.notEqual(health, 'err', `${name}: ${lastError}`);
      assert.equal(state, 'inactive', name);
      for (const [metric] of expression.matchAll(
        /\b(apiserver|plinth|etcd|nodejs|leader)_\w+(?=[{[ )])/g,
      )) {
        const family = metric.replace(/_bucket$/, '');
        const text = OF_ETCD.test(family) ? ofEtcd : ours;
        assert.match(text, new RegExp(`^# TYPE ${family} `, 'm'), `${name} is about ${family}`);
      }
    }
  });
});

async function work(plinth: Plinth, n: number): Promise<void> {
  const name = `lease-${n}`;
  const lease = { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease', metadata: { name } };
  await plinth.send('POST', LEASES, lease).catch(() => undefined);
  await plinth.get(`${LEASES}/${name}`).catch(() => undefined);
  await plinth.get(LEASES).catch(() => undefined);
  await plinth.send('DELETE', `${LEASES}/${name}`).catch(() => undefined);
}
