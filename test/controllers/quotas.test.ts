import assert from 'node:assert/strict';
import { crd } from '../support/custom.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const LIMIT = 10;
/** Objects that each writer tries to create. It holds the last one until it has tried the next. */
const ROUNDS = 10;

for (const store of ['etcd', 'embedded'] as const) {
  describe(`quotas on the ${store} store`, function () {
    let etcd: TestEtcd | undefined;
    let servers: Plinth[];
    before(async () => {
      if (store === 'etcd') etcd = await TestEtcd.start();
      const args = etcd === undefined ? [] : ['--etcd-servers', etcd.url];
      servers = await Promise.all(
        Array.from({ length: etcd === undefined ? 1 : 2 }, () => Plinth.start({ args })),
      );
    });
    after(async () => {
      await Promise.all(servers.map((server) => server.dispose()));
      await etcd?.dispose();
    });

    const server = (i = 0): Plinth => servers[i % servers.length]!;
    const ok = async (reply: Promise<Reply>): Promise<any> => {
      const { status, json, text } = await reply;
      assert.ok(status < 300, text);
      return json;
    };
    /** A namespace with limits that are in force. */
    async function limited(namespace: string, hard: Record<string, string>): Promise<void> {
      await ok(server().send('POST', '/api/v1/namespaces', { metadata: { name: namespace } }));
      await ok(
        server().send('POST', `/api/v1/namespaces/${namespace}/resourcequotas`, {
          metadata: { name: 'limits' },
          spec: { hard },
        }),
      );
      await eventually(async () => {
        const { status = {} } = await quota(namespace);
        return Object.keys(hard).every((key) => status.hard?.[key] === hard[key]);
      }, 'limits in force');
    }
    const quota = async (namespace: string): Promise<any> =>
      ok(server().get(`/api/v1/namespaces/${namespace}/resourcequotas/limits`));
    const used = (namespace: string, key: string, amount: number): Promise<void> =>
      eventually(
        async () => (await quota(namespace)).status.used[key] === String(amount),
        `${amount} used of ${key}`,
      );
    const leases = (namespace: string): string =>
      `/apis/coordination.cluster.io/v1/namespaces/${namespace}/leases`;

    it('of creates in every way, by every server at once, exactly as many succeed as the limit allows', async () => {
      const key = 'count/leases.coordination.k8s.io';
      await limited('crowd', { [key]: String(LIMIT) });
      const path = leases('crowd');
      const ways = [
        (i: number) => server(i).send('POST', path, { metadata: { name: `post-${i}` } }),
        (i: number) => server(i).send('POST', path, { metadata: { generateName: 'any-' } }),
        (i: number) => {
          const metadata = { name: `put-${i}`, namespace: 'crowd' };
          return server(i).send('PUT', `${path}/put-${i}`, { metadata });
        },
        (i: number) => {
          const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
          const alias = path.replace('cluster.io', 'k8s.io');
          const text = JSON.stringify({ ...body, metadata: { name: `apply-${i}` } });
          const query = '?fieldManager=test';
          return server(i).send('PATCH', `${alias}/apply-${i}${query}`, Buffer.from(text), APPLY);
        },
      ];
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, i) => ways[Math.floor(i / 2) % ways.length]!(i)),
      );
      const refused = replies.filter(({ status }) => status !== 201);
      assert.equal(replies.length - refused.length, LIMIT);
      for (const { status, json } of refused) {
        assert.equal(status, 403, json.message);
        assert.ok(
          json.message.endsWith(
            `forbidden: exceeded quota: limits, requested: ${key}=1, used: ${key}=${LIMIT}, limited: ${key}=${LIMIT}`,
          ),
          json.message,
        );
      }
      assert.equal((await ok(server().get(path))).items.length, LIMIT);
      assert.equal((await quota('crowd')).status.used[key], String(LIMIT));
    });

    it('G34: at no revision are there more objects than the limit, however servers create and delete', async () => {
      const key = 'count/leases.coordination.k8s.io';
      await limited('busy', { [key]: String(LIMIT) });
      const path = leases('busy');
      const from = (await ok(server().get(path))).metadata.resourceVersion;
      const refusals = await Promise.all(
        Array.from({ length: 2 * LIMIT }, async (_, worker) => {
          let refused = 0;
          let held: string | undefined;
          const release = async (i: number): Promise<void> => {
            if (held !== undefined) await ok(server(i).send('DELETE', `${path}/${held}`));
            held = undefined;
          };
          for (let round = 0; round < ROUNDS; round++) {
            const name = `w-${worker}-${round}`;
            const made = await server(worker).send('POST', path, { metadata: { name } });
            await release(round);
            if (made.status === 201) held = name;
            else assert.equal(made.status, 403, made.text);
            if (made.status === 403) refused++;
          }
          await release(0);
          return refused;
        }),
      );
      const tries = refusals.length * ROUNDS;
      const refused = refusals.reduce((sum, one) => sum + one, 0);
      await ok(server().send('POST', path, { metadata: { name: 'last' } }));
      let [present, most, created] = [0, 0, 0];
      let last = false;
      const watched = await server(1).watch(
        `${path}?watch=1&resourceVersion=${from}`,
        ({ type, object }) => {
          if (type === 'ADDED') created++;
          present += type === 'ADDED' ? 1 : -1;
          most = Math.max(most, present);
          last ||= object.metadata.name === 'last';
        },
      );
      await eventually(() => last, 'the whole history');
      watched.close();
      await watched.ended;
      assert.equal(created, tries - refused + 1, 'the history has every create');
      assert.ok(refused > 0, 'the limit was in the way');
      assert.equal(most, LIMIT, 'as many as the limit allows, and never more');
    });

    it('deletes free places at once, and the status says so soon', async () => {
      await limited('places', { configmaps: '3' });
      const path = '/api/v1/namespaces/places/configmaps';
      const create = (i: number): Promise<Reply> =>
        server(i).send('POST', path, { metadata: { name: `c-${i}` } });
      for (const i of [0, 1, 2]) await ok(create(i));
      assert.equal((await create(3)).status, 403);
      assert.equal(
        (
          await server().send('POST', `${path}?dryRun=All`, {
            metadata: { name: 'dry' },
          })
        ).status,
        403,
      );
      await ok(server(1).send('DELETE', `${path}/c-0`));
      await ok(create(3));
      await ok(server(1).send('DELETE', path));
      await used('places', 'configmaps', 0);
      for (const i of [4, 5, 6]) await ok(create(i));
      await used('places', 'configmaps', 3);
    });

    it('custom resources are counted from the moment that they exist', async () => {
      const key = 'count/widgets.example.com';
      await limited('custom', { [key]: '1' });
      assert.equal((await quota('custom')).status.used?.[key], undefined);
      await ok(
        server().send(
          'POST',
          '/apis/apiextensions.cluster.io/v1/customresourcedefinitions',
          crd({ plural: 'widgets', kind: 'Widget', group: 'example.com' }),
        ),
      );
      const path = '/apis/example.com/v1/namespaces/custom/widgets';
      for (const one of servers) {
        await eventually(async () => (await one.get(path)).status === 200, 'a served resource');
      }
      const create = (i: number): Promise<Reply> =>
        server(i).send('POST', path, {
          apiVersion: 'example.com/v1',
          kind: 'Widget',
          metadata: { name: `w-${i}` },
        });
      const replies = await Promise.all([0, 1, 2, 3].map(create));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 403, 403, 403]);
      await used('custom', key, 1);
    });

    it('events of both forms are one number', async () => {
      await limited('told', { 'count/events': '1', 'count/events.events.k8s.io': '1' });
      const regarding = { apiVersion: 'v1', kind: 'Namespace', name: 'told', namespace: 'told' };
      const core = { involvedObject: regarding, reason: 'A', message: 'a', type: 'Normal' };
      const path = '/api/v1/namespaces/told/events';
      await ok(server().send('POST', path, { metadata: { name: 'one' }, ...core }));
      const refused = await server(1).send('POST', path, { metadata: { name: 'two' }, ...core });
      assert.equal(refused.status, 403);
      assert.match(refused.json.message, /count\/events=1,count\/events.events.k8s.io=1/);
    });
  });
}
