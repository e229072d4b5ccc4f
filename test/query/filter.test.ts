import assert from 'node:assert/strict';
import { install } from '../support/custom.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { QUERY_SNAPSHOT, QuestionStream } from './question-stream.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const ALIASED = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const CORE = '/api/v1/namespaces/default';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

const TEN = '[0,1,2,3,4,5,6,7,8,9]';

const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        color: { type: 'string', default: 'grey' },
        'a-b': { type: 'string' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        tags: { type: 'array', items: { type: 'string' } },
      },
    },
  },
};

for (const store of ['embedded', 'etcd'] as const) {
  describe(`filters, on the ${store} store`, () => {
    let etcd: TestEtcd | undefined;
    let plinth: Plinth;
    let crates: string;
    before(async () => {
      etcd = store === 'etcd' ? await TestEtcd.start() : undefined;
      plinth = await Plinth.start({ args: etcd === undefined ? [] : ['--etcd-servers', etcd.url] });
      crates = await install(plinth, { plural: 'crates', kind: 'Crate', schema: SCHEMA });
      await made(LEASES, lease('a', { holderIdentity: 'one', leaseDurationSeconds: 15 }));
      await made(LEASES, lease('b', { holderIdentity: 'two', leaseDurationSeconds: 30 }));
      await made(LEASES, lease('c', {}));
      await made(crates, crate('x', { size: 3, free: { deep: 1 }, 'a-b': 'q' }));
      await made(crates, crate('y', { size: 5, tags: ['red', 'round'] }));
      await made(crates, crate('z', {}));
    });
    after(async () => {
      await plinth.dispose();
      await etcd?.stop();
    });

    async function made(path: string, body: object): Promise<any> {
      const reply = await plinth.send('POST', path, body);
      assert.equal(reply.status, 201, reply.text);
      return reply.json;
    }
    const by = (path: string, filter: string, more = '', headers = {}): Promise<Reply> =>
      plinth.get(`${path}?filter=${encodeURIComponent(filter)}${more}`, headers);
    async function names(path: string, filter: string, more = ''): Promise<string> {
      const reply = await by(path, filter, more);
      assert.equal(reply.status, 200, `${filter}: ${reply.text}`);
      return reply.json.items.map((item: any) => item.metadata.name).join(' ');
    }

    it('select a list of a built-in kind, under both names', async () => {
      for (const path of [LEASES, ALIASED]) {
        assert.equal(await names(path, 'object.spec.holderIdentity == "one"'), 'a');
        assert.equal(await names(path, 'object.spec.leaseDurationSeconds > 10'), 'a b');
        assert.equal(await names(path, '!has(object.spec.holderIdentity)'), 'c');
        assert.equal(await names(path, 'object.metadata.name in ["a", "c"]'), 'a c');
        assert.equal(
          await names(
            path,
            'object.spec.leaseDurationSeconds > 10',
            '&fieldSelector=metadata.name%3Db',
          ),
          'b',
        );
        assert.equal(
          await names(
            path,
            'timestamp(object.metadata.creationTimestamp) > timestamp("2020-01-01T00:00:00Z")',
          ),
          'a b c',
        );
      }
      assert.equal(await names(ALIASED, 'object.apiVersion == "coordination.k8s.io/v1"'), 'a b c');
      assert.equal(
        await names(LEASES, 'object.apiVersion == "coordination.cluster.io/v1"'),
        'a b c',
      );
    });

    it('select custom resources by what the version shows', async () => {
      assert.equal(await names(crates, 'object.spec.size * 2 == 6'), 'x');
      assert.equal(await names(crates, 'object.spec.color == "grey"'), 'x y z', 'a default counts');
      assert.equal(await names(crates, 'object.spec.tags.exists(t, t.startsWith("r"))'), 'y');
      assert.equal(await names(crates, 'object.spec.free.deep == 1'), 'x', 'an open part');
      assert.equal(await names(crates, 'dyn(object.spec)["a-b"] == "q"'), 'x');
      assert.equal(await names(crates, 'object.spec.size != 3'), 'y', 'absent does not match');
    });

    it('give pages, counts of seats and tables as label selectors do', async () => {
      const filter = 'object.spec.leaseDurationSeconds > 10';
      const first = await by(LEASES, filter, '&limit=1');
      const { continue: token, remainingItemCount } = first.json.metadata;
      assert.equal(remainingItemCount, undefined);
      assert.deepEqual(
        first.json.items.map(({ metadata }: any) => metadata.name),
        ['a'],
      );
      assert.equal(await names(LEASES, filter, `&limit=1&continue=${token}`), 'b');
      const { json } = await by(LEASES, filter, '', TABLE);
      assert.equal(json.kind, 'Table');
      assert.deepEqual(
        json.rows.map(({ cells }: any) => cells[0]),
        ['a', 'b'],
      );
    });

    it('answer a get of an object that does not match with 404', async () => {
      const get = (filter: string): Promise<Reply> => by(`${LEASES}/a`, filter);
      assert.equal((await get('object.spec.holderIdentity == "one"')).status, 200);
      assert.equal((await get('object.spec.holderIdentity == "two"')).status, 404);
      assert.equal((await get('object.spec.nothing')).status, 400);
    });

    it('refuse what does not fit the schema, with the place and the reason', async () => {
      const cases: [string, string, RegExp][] = [
        [
          LEASES,
          'object.spec.holder == "x"',
          /^filter: ERROR: <input>:1:12: undefined field 'holder'/,
        ],
        [
          LEASES,
          'object.spec.leaseDurationSeconds == "x"',
          /<input>:1:34: found no matching overload/,
        ],
        [LEASES, 'object.spec.holderIdentity', /must evaluate to bool/],
        [LEASES, 'object.', /Syntax error/],
        [LEASES, 'now() > 1', /undeclared reference to 'now'/],
        [
          LEASES,
          'authorizer.path("/").check("get").allowed()',
          /undeclared reference to 'authorizer'/,
        ],
        [crates, 'object.spec.size == "3"', /no matching overload/],
        [LEASES, `object.metadata.name == "${'x'.repeat(5_000)}"`, /at most 2048 characters/],
        [
          LEASES,
          String.raw`object.metadata.name.matches(r"[\pL\pN]{800}")`,
          /its patterns take too long to compile/,
        ],
        [
          LEASES,
          `${TEN}.all(a, ${TEN}.all(b, ${TEN}.all(c, ${TEN}.all(d, ${TEN}.all(e, a + b + c + d + e >= 0)))))`,
          /takes more than 100000 steps for the object default\/a/,
        ],
      ];
      for (const [path, filter, message] of cases) {
        for (const more of ['', '&watch=1&resourceVersion=0']) {
          const reply = await by(path, filter, more);
          // a watch has begun when it looks at the first object
          const status = reply.status === 200 ? reply.json.object : reply.json;
          assert.equal(status.code, 400, `${filter}: ${reply.text}`);
          assert.match(status.message, message);
        }
      }
    });

    it('and paths reach what every object has, within another one, too', async () => {
      const inner = {
        ...{ type: 'object', 'x-kubernetes-embedded-resource': true },
        properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
      };
      const spec = { type: 'object', properties: { inner } };
      const schema = { type: 'object', properties: { spec } };
      const nests = await install(plinth, { plural: 'nests', kind: 'Nest', schema });
      for (const [name, of] of [
        ['one', 'Foo'],
        ['two', 'Bar'],
      ]) {
        const within = { apiVersion: 'v1', kind: of, metadata: { name: `in-${name}` } };
        const body = { apiVersion: 'test.example.com/v1', kind: 'Nest', metadata: { name } };
        await made(nests, { ...body, spec: { inner: within } });
      }
      assert.equal(await names(nests, 'object.spec.inner.kind == "Foo"'), 'one');
      assert.equal(await names(nests, 'object.spec.inner.metadata.name == "in-two"'), 'two');
      const asked = async (query: string): Promise<any> =>
        (await plinth.get(`${nests}?${query}`)).json;
      const selected = await asked('fieldSelector=spec.inner.metadata.name%3Din-two');
      assert.equal(selected.items[0].metadata.name, 'two');
      const ordered = await asked('orderBy=spec.inner.kind&fields=spec.inner.kind');
      assert.deepEqual(
        ordered.items.map((item: any) => item.spec),
        [{ inner: { kind: 'Bar' } }, { inner: { kind: 'Foo' } }],
      );
      assert.equal((await by(nests, 'object.spec.inner.other == 1')).status, 400);
    });

    it('that cost too much are refused before the answer begins, however much matches', async () => {
      const maps = '/api/v1/namespaces/default/configmaps';
      const note = 'x'.repeat(10_000);
      for (let i = 0; i < 100; i++) {
        const metadata = { name: `light-${String(i).padStart(3, '0')}` };
        await plinth.send('POST', maps, { metadata, data: { note } });
      }
      await plinth.send('POST', maps, { metadata: { name: 'zz-heavy' }, data: { heavy: 'yes' } });
      const all = `${TEN}.all(a, ${TEN}.all(b, ${TEN}.all(c, ${TEN}.all(d, ${TEN}.all(e, true)))))`;
      const filter = `!has(object.data.heavy) || ${all}`;
      const reply = await by(maps, filter);
      assert.equal(reply.status, 400);
      const { message } = reply.json;
      assert.match(message, /takes more than 100000 steps for the object default\/zz-heavy/);
      const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      assert.equal((await by(maps, filter, '', table)).status, 400);
      const asked = encodeURIComponent(`configmaps/default?filter=${encodeURIComponent(filter)}`);
      const cut = await plinth.get(`/apis/query.cluster.io/v1/snapshot?resources=${asked}`);
      assert.equal(cut.status, 400, cut.text.slice(0, 200));
    });

    it('delete what matches, and nothing else', async () => {
      for (const name of ['d1', 'd2', 'd3']) {
        const data = name === 'd3' ? {} : { keep: name === 'd1' ? 'yes' : 'no' };
        await made(`${CORE}/configmaps`, { metadata: { name, labels: { of: 'deletion' } }, data });
      }
      const filter = encodeURIComponent('object.data.keep == "no"');
      const reply = await plinth.send(
        'DELETE',
        `${CORE}/configmaps?labelSelector=of%3Ddeletion&filter=${filter}`,
      );
      assert.equal(reply.status, 200, reply.text);
      const left = await plinth.get(`${CORE}/configmaps?labelSelector=of%3Ddeletion`);
      assert.deepEqual(
        left.json.items.map(({ metadata }: any) => metadata.name),
        ['d1', 'd3'],
      );
    });

    it('let objects enter and leave a watch, from every beginning', async () => {
      const frames: any[] = [];
      const state = await plinth.get(`${CORE}/configmaps`);
      const filter = encodeURIComponent('object.data.on == "yes"');
      const begin = `${CORE}/configmaps?watch=1&allowWatchBookmarks=true&filter=${filter}`;
      const watch = await plinth.watch(begin, (frame) => frames.push(frame));
      const seen = (): string[] =>
        frames
          .filter(({ type }) => type !== 'BOOKMARK')
          .map(({ type, object }) => `${type} ${object.metadata.name} ${object.data?.n ?? ''}`);
      await eventually(() => frames.some(({ type }) => type === 'BOOKMARK'), 'the state');
      const patch = (name: string, data: object): Promise<Reply> =>
        plinth.send('PATCH', `${CORE}/configmaps/${name}`, { data }, MERGE);
      await made(`${CORE}/configmaps`, { metadata: { name: 'w1' }, data: { on: 'no', n: '1' } });
      await made(`${CORE}/configmaps`, { metadata: { name: 'w2' }, data: { on: 'yes', n: '2' } });
      await patch('w1', { on: 'yes' });
      await patch('w2', { n: '3' });
      await patch('w1', { on: 'no' });
      await patch('w2', { on: null });
      await patch('w1', { n: '4' });
      await patch('w1', { on: 'yes' });
      await plinth.send('DELETE', `${CORE}/configmaps/w1`);
      const expected = [
        'ADDED w2 2',
        'ADDED w1 1',
        'MODIFIED w2 3',
        'DELETED w1 1',
        'DELETED w2 3',
        'ADDED w1 4',
        'DELETED w1 4',
      ];
      await eventually(() => seen().length >= expected.length, 'all events');
      assert.deepEqual(seen(), expected);
      watch.close();
      frames.length = 0;
      // the same from the revision of the list before
      const { resourceVersion } = state.json.metadata;
      const again = await plinth.watch(`${begin}&resourceVersion=${resourceVersion}`, (f) =>
        frames.push(f),
      );
      await eventually(() => seen().length >= expected.length, 'all events again');
      assert.deepEqual(seen(), expected);
      again.close();
    });

    it('filter the parts of a snapshot and of a stream', async () => {
      const filter = 'object.spec.size > 4';
      const { json } = await plinth.get(
        `${QUERY_SNAPSHOT}?resources=${encodeURIComponent(`crates.test.example.com?filter=${encodeURIComponent(filter)}`)}`,
      );
      assert.deepEqual(
        json.lists[0].list.items.map(({ metadata }: any) => metadata.name),
        ['y'],
      );
      const stream = await QuestionStream.post(plinth, {
        subscriptions: [
          { id: 'large', resource: 'crates.test.example.com', filter },
          { id: 'wrong', resource: 'crates.test.example.com', filter: 'object.spec.wrong' },
        ],
      });
      await stream.begun('large');
      await stream.until(({ id, type }) => id === 'wrong' && type === 'ERROR', 'the refusal');
      await plinth.send('PATCH', `${crates}/x`, { spec: { size: 9 } }, MERGE);
      await stream.until(
        ({ id, type, object }) =>
          id === 'large' && type === 'ADDED' && object.metadata.name === 'x',
        'x',
      );
      assert.deepEqual(
        stream.events,
        ['large ADDED y', 'wrong ERROR 400', 'large ADDED x'].sort(
          (a, b) => stream.events.indexOf(a) - stream.events.indexOf(b),
        ),
      );
      await plinth.send('PATCH', `${crates}/x`, { spec: { size: 3 } }, MERGE);
      await stream.until(({ id, type }) => id === 'large' && type === 'DELETED', 'x leaves');
      stream.close();
    });
  });
}

function lease(name: string, spec: object): object {
  return { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease', metadata: { name }, spec };
}

function crate(name: string, spec: object): object {
  return { apiVersion: 'test.example.com/v1', kind: 'Crate', metadata: { name }, spec };
}
