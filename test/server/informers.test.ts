import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  type KubernetesListObject,
  type KubernetesObject,
} from '@kubernetes/client-node';
import { TestEtcd } from '../support/etcd.ts';
import { patientProxy } from '../support/patient-proxy.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { Seeded } from '../support/seeded.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';

/** The cache of client-node, with what it was told and how often it had to list. */
class Cache {
  readonly events: string[] = [];
  lists = 0;
  readonly #informer;
  #isStopped = false;

  constructor(kubeconfig: string) {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const api = config.makeApiClient(CustomObjectsApi);
    this.#informer = makeInformer(config, LEASES, () => {
      this.lists++;
      return api.listNamespacedCustomObject({
        group: 'coordination.cluster.io',
        version: 'v1',
        namespace: 'default',
        plural: 'leases',
      }) as Promise<KubernetesListObject<KubernetesObject>>;
    });
    for (const kind of ['add', 'update', 'delete'] as const) {
      this.#informer.on(kind, ({ metadata }: KubernetesObject) =>
        this.events.push(`${kind} ${metadata?.name}@${metadata?.resourceVersion}`),
      );
    }
    this.#informer.on('error', () => {
      // as its documentation advises: begin again after a while
      if (!this.#isStopped) setTimeout(() => void this.#informer.start(), 100);
    });
  }

  start(): Promise<void> {
    return this.#informer.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#informer.stop();
  }

  /** `name@resourceVersion` of everything that it holds. */
  held(): string[] {
    return this.#informer
      .list()
      .map(({ metadata }) => `${metadata?.name}@${metadata?.resourceVersion}`)
      .sort();
  }
}

async function stored(plinth: Plinth): Promise<string[]> {
  const { json } = await plinth.get(LEASES);
  return json.items
    .map(({ metadata }: any) => `${metadata.name}@${metadata.resourceVersion}`)
    .sort();
}

async function churn(plinth: Plinth, random: Seeded, writes: number): Promise<void> {
  for (let i = 0; i < writes; i++) {
    const name = `l${random.below(20)}`;
    const path = `${LEASES}/${name}`;
    const holder = { spec: { holderIdentity: `h${i}` } };
    const made = await plinth.send('POST', LEASES, { metadata: { name }, ...holder });
    if (made.status !== 409) continue;
    if (random.below(3) === 0) await plinth.send('DELETE', path);
    else await plinth.send('PATCH', path, holder, MERGE);
  }
}

describe("a client's informer stays exact across restarts of the server", function () {
  let etcd: TestEtcd;
  before(async () => {
    etcd = await TestEtcd.start();
  });
  after(() => etcd.dispose());

  for (const store of ['embedded', 'etcd']) {
    it(`on the ${store} store, without listing again`, async () => {
      const args = store === 'etcd' ? ['--etcd-servers', etcd.url] : [];
      const plinth = await Plinth.start({ args });
      const random = new Seeded(20261122);
      const cache = new Cache(plinth.kubeconfig);
      try {
        await churn(plinth, random, 30);
        await cache.start();
        for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGTERM'] as const) {
          await churn(plinth, random, 40);
          await plinth.stop(signal);
          await plinth.start();
          // what the cache has not seen happens before it is back
          await churn(plinth, random, 10);
        }
        const expected = await stored(plinth);
        await eventually(
          () => cache.held().join() === expected.join(),
          'the cache equals the store',
        );
        assert.equal(cache.lists, 1, 'every resumed watch went on where the last one ended');
        assert.equal(new Set(cache.events).size, cache.events.length, 'no event came twice');
      } finally {
        await cache.stop();
        await plinth.dispose();
      }
    });
  }
});

describe('kubectl wait and kubectl get --watch', function () {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  function kubectl(
    kubeconfig: string,
    ...args: string[]
  ): { out: () => string; code: Promise<number> } {
    const child = spawn('kubectl', ['--kubeconfig', kubeconfig, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    const onText = (piece: Buffer): void => void (text += piece.toString());
    child.stdout.on('data', onText);
    child.stderr.on('data', onText);
    return { out: () => text, code: once(child, 'close').then(([code]) => code as number) };
  }

  const lease = (name: string, holderIdentity: string): unknown => ({
    metadata: { name },
    spec: { holderIdentity },
  });

  it('get -w prints every change once and in order, and ends when the server does', async () => {
    await plinth.send('POST', LEASES, lease('watched', 'h0'));
    const watching = kubectl(
      plinth.kubeconfig,
      ...[
        'get',
        'leases',
        'watched',
        '-w',
        '--no-headers',
        '-o',
        'jsonpath={.spec.holderIdentity} ',
      ],
    );
    await eventually(() => watching.out().includes('h0'), 'the object as it is');
    const holders = Array.from({ length: 50 }, (_, i) => `h${i + 1}`);
    for (const holderIdentity of holders) {
      await plinth.send('PATCH', `${LEASES}/watched`, { spec: { holderIdentity } }, MERGE);
    }
    await eventually(() => watching.out().includes('h50'), 'the last change');
    await plinth.stop();
    assert.equal(await watching.code, 0, watching.out());
    assert.deepEqual(watching.out().trim().split(/\s+/), ['h0', ...holders]);
    await plinth.start();
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`survive a restart by ${signal} behind a load balancer`, async () => {
      const name = `awaited-${signal.toLowerCase()}`;
      await plinth.send('POST', LEASES, lease(name, 'before'));
      const proxy = await patientProxy(Number(new URL(plinth.url).port));
      const kubeconfig = join(plinth.dataDir, 'proxy.kubeconfig');
      const text = readFileSync(plinth.kubeconfig, 'utf8');
      writeFileSync(kubeconfig, text.replaceAll(plinth.url, `https://127.0.0.1:${proxy.port}`));
      const waiting = kubectl(
        kubeconfig,
        ...[
          'wait',
          `lease/${name}`,
          '--timeout=60s',
          '--for=jsonpath={.spec.holderIdentity}=after',
        ],
      );
      try {
        const watches =
          /^apiserver_longrunning_requests{(?=[^\n]*"leases")[^\n]*"WATCH"[^\n]*} [1-9]/m;
        await eventually(
          async () => watches.test((await plinth.get('/metrics')).text),
          'its watch',
        );
        await plinth.stop(signal);
        await plinth.start();
        const change = { spec: { holderIdentity: 'after' } };
        assert.equal((await plinth.send('PATCH', `${LEASES}/${name}`, change, MERGE)).status, 200);
        assert.equal(await waiting.code, 0, waiting.out());
        assert.match(waiting.out(), /condition met/);
      } finally {
        await proxy.close();
      }
    });
  }
});
