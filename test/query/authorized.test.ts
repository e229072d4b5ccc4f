import assert from 'node:assert/strict';
import { People, rule } from '../access/people.ts';
import { install, shownAs } from '../support/custom.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, type Reply } from '../support/plinth.ts';
import { QUERY_SNAPSHOT, QuestionStream } from './question-stream.ts';
import { tokenOf } from '../access/people.ts';
import { UserWatch } from './user-watch.ts';

const ALL = '/api/v1/configmaps';
const RBAC = '/apis/rbac.authorization.cluster.io/v1';
const STATE = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const PARTLY = 'authorized=true';

for (const store of ['embedded', 'etcd'] as const) {
  describe(`the part that a user may see, on the ${store} store`, () => {
    let etcd: TestEtcd | undefined;
    let people: People;
    let users = 0;
    const open: { close: () => void }[] = [];

    before(async () => {
      etcd = store === 'etcd' ? await TestEtcd.start() : undefined;
      const own = etcd === undefined ? [] : ['--etcd-servers', etcd.url];
      const names = Array.from({ length: 30 }, (_, i) => [`u${i}`, i % 2 === 0 ? [] : ['team']]);
      people = await People.start(Object.fromEntries(names), {
        args: ['--stream-recheck-period', '1', ...own],
      });
      for (const namespace of ['a', 'b', 'c']) {
        await people.namespace(namespace);
        for (const name of ['x', 'y']) await make(namespace, name);
      }
      await people.clusterRole('see', [rule('get list watch', '', 'configmaps')]);
      for (const namespace of ['a', 'b', 'c']) {
        await people.role(namespace, 'see-x', [rule('list watch', '', 'configmaps', 'x')]);
      }
    });
    afterEach(() => {
      for (const each of open.splice(0)) each.close();
    });
    after(async () => {
      await people.dispose();
      await etcd?.stop();
    });

    /** One whom no test before has given a right; of the group `team`. */
    const someone = (): string => `u${(users += 2) - 1}`;
    const make = (namespace: string, name: string, data = {}): Promise<Reply> =>
      people.make('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
        metadata: { name, labels: { name } },
        data,
      });
    const remove = (path: string): Promise<Reply> => people.make('DELETE', path);
    const revoke = (user: string, namespace?: string, role = 'see'): Promise<Reply> =>
      remove(
        namespace === undefined
          ? `${RBAC}/clusterrolebindings/${user}:${role}`
          : `${RBAC}/namespaces/${namespace}/rolebindings/${user}:${role}`,
      );
    const get = (user: string, path: string, headers = {}): Promise<Reply> =>
      people.as(user, 'GET', path, undefined, headers);
    const namesOf = ({ json }: Reply): string[] =>
      json.items
        .map(({ metadata }: any) => `${metadata.namespace}/${metadata.name}`)
        .filter((name: string) => !name.includes('kube-root') && !name.startsWith('default/'));
    const watch = async (user: string, query: string, headers = {}): Promise<UserWatch> => {
      const stream = await UserWatch.open(people.plinth, user, `${ALL}?watch=1&${query}`, headers);
      open.push(stream);
      return stream;
    };
    const told = (stream: UserWatch, ...expected: string[]): Promise<void> =>
      eventually(() => {
        const seen = stream.told;
        return JSON.stringify(seen) === JSON.stringify(expected);
      }, expected.join(', ')).catch((error: unknown) => {
        assert.deepEqual(stream.told, expected);
        throw error;
      });

    it('contains what grants by namespace and by name allow, with a warning', async () => {
      const user = someone();
      assert.equal((await get(user, ALL)).status, 403);
      const nothing = await get(user, `${ALL}?${PARTLY}`);
      assert.deepEqual([nothing.status, nothing.json.items], [200, []]);
      await people.grant(user, 'see', 'b');
      await people.grant(user, 'see-x', 'c', 'Role');
      const part = await get(user, `${ALL}?${PARTLY}`);
      assert.deepEqual(namesOf(part), ['b/x', 'b/y', 'c/x']);
      assert.match(String(part.headers.warning), /part that user \\"u\d+\\" may list/);
      assert.equal(part.json.metadata.remainingItemCount, undefined);
      assert.equal(
        (await get(user, `${ALL}?authorized=yes`)).status,
        403,
        'other values mean nothing',
      );
      const counted = await get(user, `${ALL}?${PARTLY}&groupBy=metadata.namespace`);
      assert.equal(counted.json.count, 3);
      assert.deepEqual(counted.json.groups, [
        { value: 'b', count: 2 },
        { value: 'c', count: 1 },
      ]);
      assert.equal((await get(user, `${ALL}?${PARTLY}&count=true`)).json.count, 3);
      const table = await get(user, `${ALL}?${PARTLY}`, shownAs('Table'));
      assert.deepEqual(
        table.json.rows.map(({ object }: any) => object.metadata.name),
        ['x', 'y', 'x'],
      );
      const one = await get(user, `/api/v1/namespaces/c/configmaps?${PARTLY}`);
      assert.deepEqual(namesOf(one), ['c/x']);
      await people.grant(user, 'see');
      const whole = await get(user, `${ALL}?${PARTLY}&labelSelector=name`);
      assert.equal(whole.headers.warning, undefined);
      assert.deepEqual(whole.json.items.length, 6);
      await revoke(user);
    });

    it('comes in stable pages, also in an order', async () => {
      const user = someone();
      await people.grant(user, 'see', 'a');
      await people.grant(user, 'see', 'c');
      for (const order of ['', '&orderBy=metadata.name:desc']) {
        const names: string[] = [];
        const remaining: unknown[] = [];
        let token = '';
        do {
          const page = await get(
            user,
            `${ALL}?${PARTLY}&labelSelector=name&limit=1${order}&continue=${token}`,
          );
          assert.equal(page.status, 200, page.text);
          names.push(...namesOf(page));
          remaining.push(page.json.metadata.remainingItemCount);
          token = page.json.metadata.continue ?? '';
          if (names.length === 1) await make('a', `later${order.length}`);
        } while (token !== '');
        assert.deepEqual(
          names.filter((name) => !name.includes('later')),
          order === '' ? ['a/x', 'a/y', 'c/x', 'c/y'] : ['a/y', 'c/y', 'a/x', 'c/x'],
        );
        if (order !== '') assert.equal(remaining.at(-2), 1);
        await remove(`/api/v1/namespaces/a/configmaps/later${order.length}`);
      }
    });

    it('is shown to no stranger, of no computed kind and of no single object', async () => {
      const user = someone();
      const anonymous = { 'impersonate-user': 'system:anonymous' };
      assert.equal((await people.plinth.get(`${ALL}?${PARTLY}`, anonymous)).status, 403);
      for (const path of [
        '/api/v1/componentstatuses',
        '/api/v1/namespaces/a/configmaps/x',
        '/apis/apps/v1/nothing',
        '/metrics',
      ]) {
        const { status } = await get(user, `${path}?${PARTLY}`);
        assert.ok(status === 403 || status === 404, `${path} ${status}`);
      }
      const gone = await people.as(user, 'DELETE', `/api/v1/namespaces/a/configmaps?${PARTLY}`);
      assert.equal(gone.status, 403);
    });

    it('tells nothing of other objects by filters, orders and tokens', async () => {
      const user = someone();
      await make('a', 'secret', { pin: '1234' });
      await people.grant(user, 'see', 'b');
      const query = `${ALL}?${PARTLY}&filter=${encodeURIComponent('object.data.pin == "1234"')}`;
      assert.deepEqual((await get(user, query)).json.items, []);
      const costly = encodeURIComponent('object.data.pin.matches("^(1|2)+") || 1 / 0 > 1');
      assert.deepEqual((await get(user, `${ALL}?${PARTLY}&filter=${costly}`)).json.items, []);
      const token = Buffer.from(
        JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start: 'a/secret\u0000' }),
      ).toString('base64url');
      const made = `${ALL}?${PARTLY}&orderBy=data&limit=1`;
      assert.equal((await get(user, `${made}&continue=${token}`)).status, 400);
      const ordered = `${ALL}?${PARTLY}&orderBy=metadata.name&limit=1&continue=${token}`;
      assert.equal((await get(user, ordered)).status, 410);
      await remove('/api/v1/namespaces/a/configmaps/secret');
    });

    it('enters and leaves a watch with the rights of its user', async () => {
      const user = someone();
      const stream = await watch(user, `${PARTLY}&labelSelector=name&${STATE}`);
      assert.equal(stream.status, 200);
      assert.match(stream.warning, /may watch/);
      await eventually(() => stream.frames.length === 1, 'the end of the empty state');
      await people.grant(user, 'see', 'b');
      await told(stream, 'ADDED b/x', 'ADDED b/y');
      await make('a', 'hidden');
      await make('b', 'z');
      await told(stream, 'ADDED b/x', 'ADDED b/y', 'ADDED b/z');
      await remove('/api/v1/namespaces/a/configmaps/hidden');
      await people.grant(user, 'see-x', 'c', 'Role');
      await people.grant(user, 'see');
      await eventually(() => stream.told.length === 7, 'everything');
      assert.deepEqual(stream.told.slice(3).sort(), [
        'ADDED a/x',
        'ADDED a/y',
        'ADDED c/x',
        'ADDED c/y',
      ]);
      await revoke(user);
      await eventually(() => stream.told.length === 10, 'the part again');
      assert.deepEqual(stream.told.slice(7).sort(), ['DELETED a/x', 'DELETED a/y', 'DELETED c/y']);
      await remove('/api/v1/namespaces/b/configmaps/z');
      await revoke(user, 'b');
      await eventually(() => stream.told.length === 13, 'less');
      assert.deepEqual(stream.told.slice(10), ['DELETED b/z', 'DELETED b/x', 'DELETED b/y']);
      const { object } = stream.frames.at(-1);
      assert.ok(BigInt(object.metadata.resourceVersion) > 1n);
    });

    it('follows roles that change, and groups', async () => {
      const user = someone();
      await people.clusterRole(`r-${user}`, []);
      const path = `${RBAC}/namespaces/b/rolebindings`;
      await people.make('POST', path, {
        metadata: { name: `team-${user}` },
        roleRef: { kind: 'ClusterRole', name: `r-${user}` },
        subjects: [{ kind: 'Group', name: 'team' }],
      });
      const stream = await watch(user, `${PARTLY}&labelSelector=name`);
      await people.make('PUT', `${RBAC}/clusterroles/r-${user}`, {
        metadata: { name: `r-${user}` },
        rules: [rule('watch', '', 'configmaps')],
      });
      await told(stream, 'ADDED b/x', 'ADDED b/y');
      await remove(`${RBAC}/clusterroles/r-${user}`);
      await told(stream, 'ADDED b/x', 'ADDED b/y', 'DELETED b/x', 'DELETED b/y');
      await remove(`${path}/team-${user}`);
    });

    it("resumes after a revision only when the user's permissions are unchanged", async () => {
      const user = someone();
      await people.grant(user, 'see', 'b');
      const { json } = await get(user, `${ALL}?${PARTLY}`);
      const from = json.metadata.resourceVersion;
      // the rights of another
      await people.grant(someone(), 'see', 'a');
      await make('b', 'r');
      const stream = await watch(user, `${PARTLY}&resourceVersion=${from}`);
      await told(stream, 'ADDED b/r');
      await people.grant(user, 'see', 'c');
      await eventually(() => stream.told.length >= 3, 'what the right gives');
      const late = await watch(user, `${PARTLY}&resourceVersion=${from}`);
      assert.equal(late.status, 410);
      await remove('/api/v1/namespaces/b/configmaps/r');
    });

    it('is shown in other forms, in snapshots and in the one stream', async () => {
      const user = someone();
      const boxes = await install(people.plinth, { plural: `boxes${users}`, kind: `Box${users}` });
      const all = boxes.replace(/\/namespaces\/[^/]+/, '');
      for (const namespace of ['a', 'b']) {
        await people.make('POST', all.replace(/\/v1\//, `/v1/namespaces/${namespace}/`), {
          apiVersion: 'test.example.com/v1',
          kind: `Box${users}`,
          metadata: { name: 'box', namespace },
        });
      }
      await people.clusterRole(`boxes-${user}`, [
        rule('list watch', 'test.example.com', `boxes${users}`),
      ]);
      await people.grant(user, `boxes-${user}`, 'b');
      assert.deepEqual(namesOf(await get(user, `${all}?${PARTLY}`)), ['b/box']);
      const box = `boxes${users}.test.example.com`;
      const snapshot = await get(
        user,
        `${QUERY_SNAPSHOT}?resources=${encodeURIComponent(`${box}?${PARTLY}&fields=metadata.labels`)}&resources=${encodeURIComponent(`configmaps?${PARTLY}`)}`,
      );
      assert.equal(snapshot.status, 200, snapshot.text);
      assert.deepEqual(
        snapshot.json.lists.map(({ list }: any) => list.items.length),
        [1, 0],
      );
      assert.match(String(snapshot.headers.warning), /this is the part/);
      const stream = await QuestionStream.socket(people.plinth, {
        authorization: `Bearer ${tokenOf(user)}`,
      });
      open.push(stream);
      stream.say({
        add: [
          { id: 'maps', resource: 'configmaps', authorized: true, labelSelector: 'name' },
          { id: 'boxes', resource: box, authorized: true, fields: 'spec' },
        ],
      });
      const events = (): string[] =>
        stream.frames
          .filter(({ type }) => type !== 'BOOKMARK')
          .map(
            ({ id, type, object }) => `${id} ${type} ${object.metadata?.namespace ?? object.code}`,
          );
      await eventually(() => events().length === 1, 'the box');
      await people.grant(user, 'see', 'a');
      await eventually(() => events().length === 3, 'the maps');
      await revoke(user, 'a');
      await revoke(user, 'b', `boxes-${user}`);
      await eventually(() => events().length === 6, 'all gone');
      assert.deepEqual(events().sort(), [
        'boxes ADDED b',
        'boxes DELETED b',
        'maps ADDED a',
        'maps ADDED a',
        'maps DELETED a',
        'maps DELETED a',
      ]);
    });

    it('is that of the user who is impersonated', async () => {
      const user = someone();
      await people.grant(user, 'see', 'b');
      const as = { 'impersonate-user': user };
      const { json } = await people.plinth.get(`${ALL}?${PARTLY}`, as);
      assert.deepEqual(namesOf({ json } as Reply), ['b/x', 'b/y']);
    });
  });
}
