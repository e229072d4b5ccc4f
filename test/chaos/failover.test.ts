import assert from 'node:assert/strict';
import { percentile } from '../../bench/load/measure.ts';
import { leaderOf, startCluster } from '../support/etcd-cluster.ts';
import { TcpProxy } from '../support/etcd-proxy.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const PERIOD_MS = 5;
const CALM_MS = 4_000;
/** After the failure; the last part of it is compared with the time before. */
const AFTER_MS = 13_000;
const BACK_AFTER_MS = 10_000;
/** An election takes between one and two seconds, and connections are opened again. */
const ERROR_WINDOW_MS = 5_000;
/** What clients try again. */
const RETRIED = new Set([429, 500, 503, 504]);
/** What other programs on the machine may add to one request of a hundred. */
const NOISE_MS = 200;
const SILENCE_MS = 15_000;

interface Answer {
  readonly sentAt: number;
  readonly tookMs: number;
  readonly status: number;
}

/** 200 requests a second, whatever becomes of them: a write, a read, a write, … */
class SteadyLoad {
  readonly answers: Answer[] = [];
  readonly #plinth: Plinth;
  readonly #open = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #sent = 0;

  constructor(plinth: Plinth) {
    this.#plinth = plinth;
    this.#timer = setInterval(() => this.#send(), PERIOD_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
  }

  #send(): void {
    const n = this.#sent++;
    const sentAt = performance.now();
    const request =
      n % 2 === 0
        ? this.#plinth.send('POST', `${LEASES}?timeout=5s`, { metadata: { name: `load-${n}` } })
        : this.#plinth.get(`${LEASES}/first?timeout=5s`);
    const open = request
      .then(
        ({ status }) => status,
        () => 0,
      )
      .then((status) => {
        this.answers.push({ sentAt, tookMs: performance.now() - sentAt, status });
        this.#open.delete(open);
      });
    this.#open.add(open);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('failover', function () {
  this.timeout(120_000);

  it('G12: after the leader of etcd fails, retried requests succeed again within one election', async () => {
    const members = await startCluster(3);
    const urls = members.map(({ url }) => url).join(',');
    const plinth = await Plinth.start({ args: ['--etcd-servers', urls] });
    try {
      await plinth.send('POST', LEASES, { metadata: { name: 'first' } });
      const load = new SteadyLoad(plinth);
      await sleep(CALM_MS);
      const leader = await leaderOf(members);
      const killedAt = performance.now();
      await leader.kill();
      await sleep(AFTER_MS);
      await load.stop();

      const { answers } = load;
      const codes = new Set(answers.map(({ status }) => status));
      for (const status of codes) {
        assert.ok(status < 300 || RETRIED.has(status), `answered ${[...codes].join()}`);
        assert.notEqual(status, 0, 'every request is answered');
      }
      const failed = answers.filter(({ status }) => status >= 300);
      const last = Math.max(killedAt, ...failed.map(({ sentAt }) => sentAt));
      assert.ok(last - killedAt < ERROR_WINDOW_MS, `errors for ${last - killedAt} ms`);
      const p99 = (of: readonly Answer[]): number =>
        percentile(
          of.map(({ tookMs }) => tookMs),
          0.99,
        );
      const before = p99(answers.filter(({ sentAt }) => sentAt < killedAt));
      const after = p99(answers.filter(({ sentAt }) => sentAt > killedAt + BACK_AFTER_MS));
      assert.ok(after < 2 * before + NOISE_MS, `p99 ${before} ms, then ${after} ms`);
    } finally {
      await plinth.dispose();
      await Promise.all(members.map((member) => member.dispose()));
    }
  });

  it('G14: half-open connections to etcd are detected and replaced', async () => {
    const etcd = await TestEtcd.start();
    const proxy = await TcpProxy.to(etcd.url);
    const plinth = await Plinth.start({ args: ['--etcd-servers', proxy.url] });
    const other = await Plinth.start({ args: ['--etcd-servers', etcd.url] });
    const seen = new Set<string>();
    const watch = await plinth.watch(`${LEASES}?watch=1`, ({ object }) =>
      seen.add(object.metadata.name),
    );
    try {
      proxy.silence();
      const from = performance.now();
      let n = 0;
      const write = async (): Promise<boolean> => {
        const body = { metadata: { name: `written-${n++}` } };
        return (await plinth.send('POST', `${LEASES}?timeout=2s`, body)).status < 300;
      };
      await eventually(write, 'a write', 2 * SILENCE_MS);
      await other.send('POST', LEASES, { metadata: { name: 'by-another' } });
      await eventually(() => seen.has('by-another'), 'the watch goes on', 2 * SILENCE_MS);
      const tookMs = performance.now() - from;
      assert.ok(tookMs < SILENCE_MS, `${tookMs} ms`);
    } finally {
      watch.close();
      await plinth.dispose();
      await other.dispose();
      await proxy.close();
      await etcd.dispose();
    }
  });
});
