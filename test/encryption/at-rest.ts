import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openStore, type StoreOptions } from '../../storage/open.ts';
import type { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const KEY = 'coordination.cluster.io/leases/default/';
const keys = ['first', 'second'].map((name) => ({
  name,
  secret: randomBytes(32).toString('base64'),
}));
const [first, second] = keys;

const dir = mkdtempSync(join(tmpdir(), 'plinth-encryption-'));
const file = join(dir, 'encryption.yaml');
/** What is written during a look has the server look again after a minute. */
const LOOK_TWICE_MS = 100_000;

/** Only leases are encrypted: with the first of these keys. */
function configure(aesgcm: unknown[], more: unknown[] = []): void {
  configureAll([
    {
      resources: ['leases.coordination.k8s.io'],
      providers: [...(aesgcm.length === 0 ? [] : [{ aesgcm: { keys: aesgcm } }]), ...more],
    },
  ]);
}

function configureAll(resources: unknown[]): void {
  const config = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources,
  };
  writeFileSync(`${file}.new`, stringify(config));
  renameSync(`${file}.new`, file);
}

/** What the store holds, as a reader of the store alone sees it. */
async function rawValues(options: StoreOptions): Promise<Map<string, string>> {
  const store = await openStore(options);
  try {
    const { items } = await store.list({ prefix: '' });
    return new Map(items.map(({ key, value }) => [key, value.toString('latin1')]));
  } finally {
    await store.close();
  }
}

/** The promises of encryption at rest, on a server that runs with what `prepare` gives. */
export function describeAtRest(
  kind: string,
  prepare: () => Promise<{ args: string[]; etcd?: TestEtcd }>,
): void {
  describe(`encryption at rest, ${kind}`, function () {
    let plinth: Plinth;
    let etcd: TestEtcd | undefined;
    let args: string[];
    const encrypted = ['--encryption-provider-config', file];
    before(async () => {
      ({ args, etcd } = await prepare());
      plinth = await Plinth.start({ args });
    });
    after(async () => {
      await plinth.dispose();
      await etcd?.dispose();
    });

    const options = (): StoreOptions =>
      etcd === undefined
        ? { kind: 'embedded', dir: join(plinth.dataDir, 'store') }
        : { kind: 'etcd', endpoints: [etcd.url], prefix: '/registry' };

    /** Only one process opens the embedded store. */
    async function raw(): Promise<Map<string, string>> {
      if (etcd !== undefined) return rawValues(options());
      await plinth.stop();
      const values = await rawValues(options());
      await plinth.start();
      return values;
    }

    async function restart(...more: string[]): Promise<void> {
      const { dataDir } = plinth;
      await plinth.stop();
      plinth = await Plinth.start({ args: [...args, ...more], dataDir });
    }

    const create = async (name: string, holderIdentity: string): Promise<void> => {
      const reply = await plinth.send('POST', LEASES, {
        metadata: { name },
        spec: { holderIdentity },
      });
      assert.equal(reply.status, 201);
    };
    const holders = async (): Promise<string[]> =>
      (await plinth.get(LEASES)).json.items.map((item: any) => item.spec.holderIdentity).sort();
    const prefixOf = (value: string | undefined): string =>
      /^k8s:enc:aesgcm:v1:[^:]+:/.exec(value ?? '')?.[0] ?? 'plain';

    const stale = async (): Promise<string | undefined> => {
      const { text } = await plinth.get('/metrics');
      return /^plinth_encryption_stale_values (\d+)/m.exec(text)?.[1];
    };
    /** The metric is absent from a start until the values of before are written. */
    const rewritten = (): Promise<void> =>
      eventually(async () => (await stale()) === '0', 'the rewriting', LOOK_TWICE_MS);

    it('values are written encrypted, the others not, and what was there stays readable', async () => {
      await create('before', 'MARKER-before');
      configure([first], [{ identity: {} }]);
      await restart(...encrypted);
      await create('after', 'MARKER-after');
      await plinth.send('POST', '/api/v1/namespaces', { metadata: { name: 'marker-namespace' } });
      assert.deepEqual(await holders(), ['MARKER-after', 'MARKER-before']);
      const patched = await plinth.send(
        'PATCH',
        `${LEASES}/after`,
        { spec: { leaseDurationSeconds: 5 } },
        { 'content-type': 'application/merge-patch+json' },
      );
      assert.equal(patched.status, 200);
      const values = await raw();
      assert.equal(prefixOf(values.get(`${KEY}after`)), 'k8s:enc:aesgcm:v1:first:');
      assert.ok(!values.get(`${KEY}after`)!.includes('MARKER'));
      assert.ok(values.get('namespaces/marker-namespace')!.includes('marker-namespace'));
      if (etcd !== undefined) return;
      // Not even in pages that are free again.
      const store = join(plinth.dataDir, 'store');
      for (const name of readdirSync(store).filter((name) => !name.startsWith('owner'))) {
        assert.ok(!readFileSync(join(store, name)).includes('MARKER-after'), name);
      }
    });

    it('existing values are rewritten, and watches see the objects unchanged', async () => {
      const frames: any[] = [];
      const watch = await plinth.watch(`${LEASES}?watch=1`, (frame) => frames.push(frame));
      await rewritten();
      assert.equal(prefixOf((await raw()).get(`${KEY}before`)), 'k8s:enc:aesgcm:v1:first:');
      if (etcd !== undefined) {
        await eventually(
          () => frames.some((f) => f.type === 'MODIFIED' && f.object.metadata.name === 'before'),
          'the event of the rewriting',
        );
        assert.ok(frames.every((f) => f.object.spec.holderIdentity.startsWith('MARKER')));
      }
      watch.close();
      assert.deepEqual(await holders(), ['MARKER-after', 'MARKER-before']);
    });

    it('Events are not rewritten, and a metric shows that their key is still needed', async () => {
      await plinth.send('POST', '/apis/events.cluster.io/v1/namespaces/default/events', {
        metadata: { name: 'plain' },
        ...{ eventTime: new Date().toISOString().replace('Z', '000Z'), type: 'Normal' },
        ...{ reportingController: 'example.com/c', reportingInstance: 'c-0' },
        ...{ action: 'Do', reason: 'Done', regarding: { kind: 'Lease', namespace: 'default' } },
      });
      const providers = [{ aesgcm: { keys: [first] } }, { identity: {} }];
      const resources = ['leases.coordination.k8s.io', 'events.events.k8s.io'];
      configureAll([{ resources, providers }]);
      // On etcd the server has written an Event of its own, about its election.
      await eventually(async () => Number(await stale()) >= 1, 'a value is left', LOOK_TWICE_MS);
      for (const namespace of ['default', 'cluster-system']) {
        await plinth.send('DELETE', `/apis/events.cluster.io/v1/namespaces/${namespace}/events`);
      }
      // Looked at again in a while; a new configuration is one.
      configure([first], [{ identity: {} }]);
      await eventually(async () => (await stale()) === '0', 'none is left', LOOK_TWICE_MS);
    });

    it('a key that is removed too early is reported in one line, and accepted again', async () => {
      configure([second]);
      const complaint = /stored values cannot be read/g;
      await eventually(() => complaint.test(plinth.output), 'the complaint');
      assert.ok(Number(await stale()) >= 2, 'ours, and Leases of the server itself');
      assert.equal(plinth.output.match(complaint)?.length, 1);
      assert.ok(keys.every(({ secret }) => !plinth.output.includes(secret)));
      assert.deepEqual(await holders(), ['MARKER-after', 'MARKER-before']);
      // Meanwhile Leases were renewed with the other one.
      configure([first, second], [{ identity: {} }]);
      await eventually(async () => (await stale()) === '0', 'none is left', LOOK_TWICE_MS);
      assert.deepEqual(await holders(), ['MARKER-after', 'MARKER-before']);
    });

    it('keys rotate: the new one writes, the old one reads until nothing needs it', async () => {
      configure([second, first], [{ identity: {} }]);
      await restart(...encrypted);
      await create('rotated', 'MARKER-rotated');
      await rewritten();
      const leases = [...(await raw())].filter(([key]) => key.startsWith(KEY));
      assert.deepEqual(
        leases.map(([, value]) => prefixOf(value)),
        Array.from({ length: 3 }, () => 'k8s:enc:aesgcm:v1:second:'),
      );
      configure([second]);
      await restart(...encrypted);
      assert.deepEqual(await holders(), ['MARKER-after', 'MARKER-before', 'MARKER-rotated']);
    });

    it('without the key the server does not start, and its message contains no secret', async () => {
      configure([first]);
      const { dataDir } = plinth;
      await plinth.stop();
      await assert.rejects(
        Plinth.start({ args: [...args, ...encrypted], dataDir }),
        (error: Error) => {
          assert.match(error.message, /plinth: .*cannot read coordination\.cluster\.io\/leases/);
          assert.ok(keys.every(({ secret }) => !error.message.includes(secret)));
          assert.ok(!error.message.includes('MARKER'));
          return true;
        },
      );
      configure([second]);
      plinth = await Plinth.start({ args: [...args, ...encrypted], dataDir });
      assert.equal((await holders()).length, 3);
    });

    it('after encryption is turned off, values are stored in plain text and no key is needed', async () => {
      const providers = [{ identity: {} }, { aesgcm: { keys: [second] } }];
      configureAll([{ resources: ['leases.coordination.k8s.io'], providers }]);
      await restart(...encrypted);
      await eventually(async () => (await stale()) === '0', 'none is left', LOOK_TWICE_MS);
      await restart();
      assert.equal((await holders()).length, 3);
      assert.equal(prefixOf((await raw()).get(`${KEY}after`)), 'plain');
    });
  });
}
