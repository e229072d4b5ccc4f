import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { WebSocket } from 'ws';
import { People, rule, tokenOf } from '../access/people.ts';
import { install } from '../support/custom.ts';
import { TestEtcd } from '../support/etcd.ts';
import { administer } from '../support/etcd-admin.ts';
import { eventually, type Plinth, type Reply } from '../support/plinth.ts';
import { QUERY_SNAPSHOT, QUERY_WATCH, QuestionStream } from './question-stream.ts';

const CORE = '/api/v1/namespaces/default';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const BINDINGS = '/apis/rbac.authorization.cluster.io/v1/namespaces/default/rolebindings';

for (const store of ['embedded', 'etcd'] as const) {
  describe(`questions about several resources, on the ${store} store`, () => {
    let etcd: TestEtcd | undefined;
    let people: People;
    let plinth: Plinth;
    let widgets: string;
    const streams: QuestionStream[] = [];

    before(async () => {
      etcd = store === 'etcd' ? await TestEtcd.start() : undefined;
      const own = etcd === undefined ? [] : ['--etcd-servers', etcd.url];
      const args = ['--stream-recheck-period', '1', ...own];
      people = await People.start({ ann: [], bob: [] }, { args });
      ({ plinth } = people);
      widgets = await install(plinth, { plural: 'widgets', kind: 'Widget' });
      await people.clusterRole('see-config', [rule('get list watch', '', 'configmaps')]);
      await people.grant('ann', 'see-config', 'default');
    });
    afterEach(() => {
      for (const stream of streams.splice(0)) stream.close();
    });
    after(async () => {
      await people.dispose();
      await etcd?.stop();
    });

    const configMap = (name: string, labels = {}): Promise<Reply> =>
      people.make('POST', `${CORE}/configmaps`, { metadata: { name, labels } });
    const lease = (name: string): Promise<Reply> =>
      people.make('POST', LEASES, { metadata: { name }, spec: {} });
    const widget = (name: string): Promise<Reply> =>
      people.make('POST', widgets, {
        ...{ apiVersion: 'test.example.com/v1', kind: 'Widget', metadata: { name }, spec: {} },
      });
    const socket = async (user?: string, query = ''): Promise<QuestionStream> => {
      const headers = user === undefined ? undefined : as(user);
      const stream = await QuestionStream.socket(plinth, headers, query);
      streams.push(stream);
      return stream;
    };
    const post = async (body: unknown, user?: string): Promise<QuestionStream> => {
      const stream = await QuestionStream.post(
        plinth,
        body,
        user === undefined ? undefined : as(user),
      );
      streams.push(stream);
      return stream;
    };
    const as = (user: string): Record<string, string> => ({
      authorization: `Bearer ${tokenOf(user)}`,
    });
    const ask = (...resources: string[]): Promise<Reply> => plinth.get(snapshotOf(resources));

    describe('a snapshot', () => {
      it('shows several lists at one revision, from which each can be watched', async () => {
        await configMap('s1', { tier: 'gold' });
        await configMap('s2');
        await lease('s1');
        await widget('s1');
        const { status, json } = await ask(
          'configmaps/default?labelSelector=tier%3Dgold',
          'leases.v1.coordination.cluster.io/default',
          'leases.coordination.k8s.io/default?fieldSelector=metadata.name%3Ds1',
          'widgets.test.example.com',
          'namespaces?limit=1',
        );
        assert.equal(status, 200);
        assert.equal(json.kind, 'Snapshot');
        assert.equal(json.apiVersion, 'query.cluster.io/v1');
        const lists = json.lists.map(({ list }: any) => list);
        assert.deepEqual(
          lists.map(({ kind, apiVersion }: any) => `${apiVersion} ${kind}`),
          [
            'v1 ConfigMapList',
            'coordination.cluster.io/v1 LeaseList',
            'coordination.k8s.io/v1 LeaseList',
            'test.example.com/v1 WidgetList',
            'v1 NamespaceList',
          ],
        );
        const names = ({ items }: any): string[] => items.map((item: any) => item.metadata.name);
        assert.deepEqual(lists.map(names).slice(0, 4), [['s1'], ['s1'], ['s1'], ['s1']]);
        const { resourceVersion } = json.metadata;
        for (const { metadata } of lists) assert.equal(metadata.resourceVersion, resourceVersion);
        assert.notEqual(
          lists[4].metadata.continue,
          undefined,
          'pages go on at the resource itself',
        );
        assert.equal(json.lists[0].id, 'configmaps/default');
        // what the lists show is what the resources' own paths show
        const own = await plinth.get(
          `${LEASES}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`,
        );
        assert.deepEqual(lists[1], own.json);
        await configMap('s3');
        const frames: any[] = [];
        const watch = await plinth.watch(
          `${CORE}/configmaps?watch=1&resourceVersion=${resourceVersion}`,
          (frame) => frames.push(frame),
        );
        await eventually(() => frames.length > 0, 'the change after the snapshot');
        watch.close();
        assert.equal(frames[0].object.metadata.name, 's3');
      });

      it('is refused with the names of all lists that the user may not see', async () => {
        const path = snapshotOf([
          'configmaps/default',
          'secrets/default',
          'leases.coordination.cluster.io',
        ]);
        const { status, json } = await people.as('ann', 'GET', path);
        assert.equal(status, 403);
        assert.deepEqual(
          json.details.causes.map(({ field }: any) => field),
          ['secrets/default', 'leases.coordination.cluster.io'],
        );
        assert.match(json.details.causes[0].message, /User "ann" cannot list resource "secrets"/);
        const own = await people.as('ann', 'GET', snapshotOf(['configmaps/default']));
        assert.equal(own.status, 200);
        const anonymous = await people.as(undefined, 'GET', snapshotOf(['configmaps/default']));
        assert.ok(anonymous.status === 401 || anonymous.status === 403);
      });

      it('refuses what cannot be asked, with the place of the mistake', async () => {
        const cases: [string[], number, RegExp][] = [
          [[], 400, /resources: must name the resources to list/],
          [['a/b/c'], 400, /resources\[0\]: must be resource\[\/namespace\]/],
          [['configmaps', 'nothing.example.com'], 404, /nothing\.example\.com/],
          [['namespaces/default'], 400, /has no namespaces/],
          [['configmaps?watch=1'], 400, /resources\[0\]: unknown parameter "watch"/],
          [['configmaps?labelSelector=%3D%3D'], 400, /found '=='/],
          [['componentstatuses'], 400, /does not support list/],
          [Array.from({ length: 101 }, () => 'configmaps'), 400, /must be at most 100, got 101/],
        ];
        for (const [resources, code, message] of cases) {
          const { status, json } = await ask(...resources);
          assert.equal(status, code, JSON.stringify(json));
          assert.match(json.message, message);
        }
      });
    });

    describe('one stream', () => {
      it('carries the state and the changes of several resources in the order of the log', async () => {
        await configMap('w1');
        const stream = await post({
          subscriptions: [
            {
              id: 'maps',
              resource: 'configmaps',
              namespace: 'default',
              fieldSelector: 'metadata.name!=s1',
            },
            { id: 'leases', resource: 'leases.coordination.cluster.io', namespace: 'default' },
            { id: 'widgets', resource: 'widgets.test.example.com' },
          ],
        });
        await stream.begun('maps', 'leases', 'widgets');
        assert.ok(stream.events.includes('maps ADDED w1'));
        assert.ok(!stream.events.includes('maps ADDED s1'));
        const before = stream.frames.length;
        for (let i = 0; i < 5; i++) {
          await lease(`w${i}`);
          await configMap(`wm${i}`);
          await widget(`w${i}`);
        }
        await stream.until(
          ({ id, object }) => id === 'widgets' && object?.metadata?.name === 'w4',
          'all',
        );
        const seen = stream.frames.slice(before);
        assert.equal(seen.length, 15);
        const revisions = seen.map(({ object }) => BigInt(object.metadata.resourceVersion));
        assert.deepEqual(
          revisions,
          revisions.toSorted((a, b) => (a < b ? -1 : 1)),
        );
        assert.deepEqual(new Set(seen.map(({ id }) => id)), new Set(['maps', 'leases', 'widgets']));
      });

      it('takes and gives up parts while it is open', async () => {
        const stream = await socket();
        stream.say({ add: [{ id: 'a', resource: 'configmaps', namespace: 'default' }] });
        await stream.begun('a');
        const { json } = await plinth.get(`${LEASES}?limit=1`);
        await lease('t1');
        await configMap('t1');
        stream.say({
          add: [
            {
              ...{ id: 'b', resource: 'leases.coordination.cluster.io', namespace: 'default' },
              resourceVersion: json.metadata.resourceVersion,
            },
          ],
        });
        await stream.begun('b');
        assert.ok(stream.events.includes('b ADDED t1'), 'what came after the list');
        stream.say({ remove: ['a'] });
        await stream.until(({ id, type }) => id === 'a' && type === 'REMOVED', 'the removal');
        await configMap('t2');
        await lease('t2');
        await stream.until(({ id, object }) => id === 'b' && object?.metadata?.name === 't2', 't2');
        assert.ok(!stream.events.includes('a ADDED t2'));
        stream.say({ add: [{ id: 'a', resource: 'configmaps', namespace: 'default' }] });
        await stream.until(
          ({ id, object }) => id === 'a' && object?.metadata?.name === 't2',
          'again',
        );
      });

      it('shows objects as rows of tables, with the columns in the first frame', async () => {
        await configMap('row1');
        const one = { resource: 'configmaps', namespace: 'default', as: 'Table' };
        const stream = await post({
          subscriptions: [
            { id: 't', ...one, fieldSelector: 'metadata.name in (row1,row2)' },
            { id: 'u', ...one, as: 'Chair' },
          ],
        });
        await stream.begun('t');
        await configMap('row2');
        const is = (name: string) => (frame: any) =>
          frame.type === 'ADDED' && frame.object.rows[0].object.metadata.name === name;
        const first = (await stream.until(is('row1'), 'the state')).object;
        assert.equal(first.columnDefinitions[0].name, 'Name');
        assert.equal(first.rows[0].cells[0], 'row1');
        const second = (await stream.until(is('row2'), 'the change')).object;
        assert.equal(second.columnDefinitions, null);
        const { metadata } = second.rows[0].object;
        assert.ok(metadata.uid !== undefined && metadata.managedFields === undefined);
        const refused = await stream.until(({ id }) => id === 'u', 'the refusal');
        assert.match(refused.object.message, /as: must be "Table", got "Chair"/);
      });

      it('is resumed as a whole from one revision', async () => {
        const { json } = await ask('configmaps/default', 'leases.coordination.cluster.io/default');
        await configMap('r1');
        await lease('r1');
        const body = {
          resourceVersion: json.metadata.resourceVersion,
          subscriptions: [
            { id: 'maps', resource: 'configmaps', namespace: 'default' },
            { id: 'leases', resource: 'leases.coordination.cluster.io', namespace: 'default' },
          ],
        };
        const stream = await post(body);
        await stream.until(
          ({ id, object }) => id === 'leases' && object?.metadata?.name === 'r1',
          'r1',
        );
        assert.deepEqual(stream.events, ['maps ADDED r1', 'leases ADDED r1']);
      });

      const refusesAlone = async (): Promise<void> => {
        const now = etcd;
        assert.ok(now);
        // what the server has seen already: its own watch is not among those that lose their place
        const { json } = await ask('configmaps/default');
        const revision = json.metadata.resourceVersion;
        await administer(now, (client) => client.kv.compact({ revision }));
        const stream = await post({
          subscriptions: [
            { id: 'old', resource: 'configmaps', resourceVersion: '1' },
            { id: 'state', resource: 'leases.coordination.cluster.io', namespace: 'default' },
            { id: 'now', resource: 'configmaps', namespace: 'default', sendInitialEvents: false },
          ],
        });
        await stream.begun('state', 'now');
        await configMap('g1');
        await stream.until(
          ({ id, object }) => id === 'now' && object?.metadata?.name === 'g1',
          'g1',
        );
        const old = stream.frames.filter(({ id }) => id === 'old');
        assert.deepEqual(
          old.map(({ type, object }) => `${type} ${object.code}`),
          ['ERROR 410'],
        );
      };
      if (store === 'etcd')
        it('refuses a part whose history is gone, and goes on with the others', refusesAlone);

      it('refuses a part that begins at a revision which the store has not reached', async () => {
        const maps = { resource: 'configmaps', namespace: 'default' };
        const future = '99999999';
        for (const stream of [
          await post({ resourceVersion: future, subscriptions: [{ id: 'a', ...maps }] }),
          await post({ subscriptions: [{ id: 'a', ...maps, resourceVersion: future }] }),
        ]) {
          const { object } = await stream.until(({ id }) => id === 'a', 'the refusal');
          assert.equal(object.code, 504);
          assert.equal(object.details.causes[0].reason, 'ResourceVersionTooLarge');
          assert.deepEqual(stream.events, ['a ERROR 504']);
        }
        const stream = await socket(undefined, `?resourceVersion=${future}`);
        const { json } = await ask('configmaps/default');
        const { resourceVersion } = json.metadata;
        stream.say({
          add: [
            { id: 'a', ...maps },
            { id: 'b', ...maps, resourceVersion },
          ],
        });
        await stream.begun('b');
        await configMap('f1');
        await stream.until(({ id, object }) => id === 'b' && object?.metadata?.name === 'f1', 'f1');
        assert.deepEqual(stream.events, ['a ERROR 504', 'b ADDED f1']);
      });

      it('says with an ERROR frame what is wrong with a part, and goes on with the others', async () => {
        const stream = await socket('ann');
        stream.say({
          add: [
            { id: 'good', resource: 'configmaps', namespace: 'default' },
            { id: 'secret', resource: 'secrets', namespace: 'default' },
            { id: 'none', resource: 'nothing.example.com' },
            { id: 'selector', resource: 'configmaps', namespace: 'default', labelSelector: '==' },
          ],
        });
        await stream.begun('good');
        const code = async (id: string): Promise<number> =>
          (await stream.until((f) => f.id === id && f.type === 'ERROR', id)).object.code;
        assert.deepEqual(
          [await code('secret'), await code('none'), await code('selector')],
          [403, 404, 400],
        );
        for (const [message, expected] of [
          ['{', /not JSON/],
          [{ more: [] }, /unknown field "more"/],
          [{ add: [{ id: 'x' }] }, /add\[0\]\.resource/],
          [
            { add: [{ id: 'x', resource: 'configmaps', watch: true }] },
            /unknown parameter "watch"/,
          ],
          [{ add: [{ id: 'good', resource: 'configmaps', namespace: 'default' }] }, /is in use/],
          [{ remove: ['what'] }, /the id "what" does not exist/],
        ] as const) {
          stream.say(message);
          await stream.until(
            (f) => f.type === 'ERROR' && expected.test(f.object.message),
            `${expected}`,
          );
        }
        await configMap('e1');
        await stream.until(
          ({ id, object }) => id === 'good' && object?.metadata?.name === 'e1',
          'e1',
        );
      });

      it('ends only the part whose permission is revoked', async () => {
        const role = [rule('get list watch', 'coordination.cluster.io', 'leases')];
        await people.clusterRole('see-leases', role);
        await people.grant('ann', 'see-leases', 'default');
        const stream = await socket('ann');
        stream.say({
          add: [
            { id: 'maps', resource: 'configmaps', namespace: 'default' },
            { id: 'leases', resource: 'leases.coordination.cluster.io', namespace: 'default' },
          ],
        });
        await stream.begun('maps', 'leases');
        await people.make('DELETE', `${BINDINGS}/ann:see-leases`);
        const cut = await stream.until(
          ({ id, type }) => id === 'leases' && type === 'ERROR',
          'the cut',
        );
        assert.equal(cut.object.code, 403);
        await lease('cut');
        await configMap('cut');
        await stream.until(
          ({ id, object }) => id === 'maps' && object?.metadata?.name === 'cut',
          'cut',
        );
        assert.ok(!stream.events.includes('leases ADDED cut'));
      });

      it('ends a part with its resource, and takes no more parts than it may', async () => {
        const gone = await install(plinth, { plural: `gones`, kind: 'Gone' });
        const stream = await socket();
        stream.say({ add: [{ id: 'gone', resource: 'gones.test.example.com' }] });
        await stream.begun('gone');
        assert.equal((await plinth.get(gone)).status, 200);
        await people.make(
          'DELETE',
          '/apis/apiextensions.cluster.io/v1/customresourcedefinitions/gones.test.example.com',
        );
        const end = await stream.until(
          ({ id, type }) => id === 'gone' && type === 'ERROR',
          'the end',
        );
        assert.equal(end.object.code, 404);
        const names = Array.from({ length: 60 }, (_, i) => `n${i}`);
        const part = (id: string): object => ({
          id,
          resource: 'namespaces',
          sendInitialEvents: false,
        });
        stream.say({ add: names.map((name) => part(name)) });
        stream.say({ add: names.map((name) => part(`more-${name}`)) });
        await stream.until(
          ({ id, object }) => id === 'more-n40' && object?.code === 429,
          'the bound',
        );
        await eventually(
          () => stream.frames.filter(({ object }) => object?.code === 429).length === 20,
          'as many refusals as there are too many',
        );
      });

      it('serves a page as the documentation shows it', async () => {
        const page = /```js\n([^]*?)```/.exec(readFileSync('docs/queries.md', 'utf8'))?.[1] ?? '';
        const lines: string[] = [];
        const sockets: WebSocket[] = [];
        class PageSocket extends WebSocket {
          constructor(url: string) {
            super(
              url.replace('wss://plinth.example.com', plinth.url.replace('https', 'wss')),
              plinth.tls,
            );
            sockets.push(this);
          }
        }
        runInNewContext(page, {
          WebSocket: PageSocket,
          location: { host: 'plinth.example.com' },
          console: { log: (...words: string[]) => lines.push(words.join(' ').trim()) },
        });
        await eventually(() => lines.includes('leases BOOKMARK'), 'the state');
        await lease('page');
        await eventually(() => lines.includes('leases ADDED page'), 'the event');
        for (const socket of sockets) socket.terminate();
      });

      it('refuses requests that cannot become a stream', async () => {
        assert.equal((await plinth.get(QUERY_WATCH)).status, 405);
        const body = (text: unknown): Promise<Reply> => plinth.send('POST', QUERY_WATCH, text);
        assert.match((await body('[')).json.message, /not JSON/);
        assert.match((await body({})).json.message, /subscriptions: must be a list/);
        const twice = [1, 2].map(() => ({ id: 'a', resource: 'configmaps' }));
        assert.match((await body({ subscriptions: twice })).json.message, /"a" occurs twice/);
        const misspelt = { subscriptions: [], resourceversion: '5' };
        assert.match((await body(misspelt)).json.message, /unknown field "resourceversion"/);
        const bad = { resourceVersion: 'x', subscriptions: [] };
        assert.match(
          (await body(bad)).json.message,
          /resourceVersion: invalid resource version "x"/,
        );
        assert.equal((await people.as(undefined, 'POST', QUERY_WATCH, {})).status, 401);
      });
    });
  });
}

function snapshotOf(resources: readonly string[]): string {
  return `${QUERY_SNAPSHOT}?${resources.map((r) => `resources=${encodeURIComponent(r)}`).join('&')}`;
}
