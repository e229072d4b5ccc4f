import assert from 'node:assert/strict';
import { TestEtcd } from '../support/etcd.ts';
import { Plinth } from '../support/plinth.ts';

const PATH = '/api/v1/componentstatuses';
const WARNING = '299 - "v1 ComponentStatus is deprecated in v1.19+"';

describe('ComponentStatus over HTTP', () => {
  let etcd: TestEtcd;
  let plinth: Plinth;

  before(async () => {
    etcd = await TestEtcd.start();
    plinth = await Plinth.start({ args: ['--etcd-servers', etcd.url] });
  });
  after(async () => {
    await plinth.dispose();
    await etcd.dispose();
  });

  it('lists the parts of the installation, and warns that it is deprecated', async () => {
    const { status, json, headers } = await plinth.get(PATH);
    assert.equal(status, 200);
    assert.equal(headers['warning'], WARNING);
    const conditions = [{ type: 'Healthy', status: 'True', message: 'ok' }];
    assert.deepEqual(json, {
      kind: 'ComponentStatusList',
      apiVersion: 'v1',
      metadata: {},
      items: [
        { metadata: { name: 'etcd-0' }, conditions },
        { metadata: { name: 'replica' }, conditions },
      ],
    });
  });

  it('selects by name, and by labels, which none has', async () => {
    const names = async (query: string): Promise<string[]> =>
      (await plinth.get(`${PATH}?${query}`)).json.items.map((item: any) => item.metadata.name);
    assert.deepEqual(await names('fieldSelector=metadata.name%3Detcd-0'), ['etcd-0']);
    assert.deepEqual(await names('fieldSelector=metadata.name!%3Detcd-0'), ['replica']);
    assert.deepEqual(await names('labelSelector=a'), []);
    assert.deepEqual(await names('labelSelector=!a&limit=-1'), ['etcd-0', 'replica']);
  });

  it('comes in pages of the size that was asked for', async () => {
    const first = (await plinth.get(`${PATH}?limit=1`)).json;
    const names = (list: any): string[] => list.items.map((item: any) => item.metadata.name);
    assert.deepEqual([names(first), first.metadata.remainingItemCount], [['etcd-0'], 1]);
    const rest = (await plinth.get(`${PATH}?limit=1&continue=${first.metadata.continue}`)).json;
    assert.deepEqual([names(rest), rest.metadata], [['replica'], {}]);
    assert.equal((await plinth.get(`${PATH}?continue=*`)).status, 400);
  });

  it('answers every question that a list answers', async () => {
    const names = async (query: string): Promise<string> => {
      const { status, json, text } = await plinth.get(`${PATH}?${query}`);
      assert.equal(status, 200, `${query}: ${text}`);
      return json.items.map((item: any) => item.metadata.name).join(' ');
    };
    const condition = 'conditions[?type=Healthy]';
    const selects = (text: string): string => `fieldSelector=${encodeURIComponent(text)}`;
    const filters = (text: string): string => `filter=${encodeURIComponent(text)}`;
    assert.equal(await names(selects(`${condition}.status=True`)), 'etcd-0 replica');
    assert.equal(await names(selects(`${condition}.status notin (True)`)), '');
    assert.equal(await names(selects('metadata.name in (replica,x)')), 'replica');
    assert.equal(await names(filters('object.metadata.name.startsWith("r")')), 'replica');
    assert.equal(await names('orderBy=metadata.name:desc'), 'replica etcd-0');
    const page = (await plinth.get(`${PATH}?orderBy=metadata.name:desc&limit=1`)).json;
    assert.equal(page.metadata.remainingItemCount, 1);
    const rest = `orderBy=metadata.name:desc&limit=1&continue=${page.metadata.continue}`;
    assert.equal(await names(rest), 'etcd-0');
    const gone = Buffer.from('gone').toString('base64url');
    assert.equal((await plinth.get(`${PATH}?orderBy=kind&continue=${gone}`)).status, 410);
    const [part] = (await plinth.get(`${PATH}?fields=conditions[0].status`)).json.items;
    assert.deepEqual(part, { metadata: { name: 'etcd-0' }, conditions: [{ status: 'True' }] });
    const one = (await plinth.get(`${PATH}/replica?fields=metadata.name`)).json;
    assert.deepEqual(one, {
      apiVersion: 'v1',
      kind: 'ComponentStatus',
      metadata: { name: 'replica' },
    });
    for (const [query, status] of [
      [filters('object.metadata.name == "replica"'), 200],
      [filters('object.metadata.name == "x"'), 404],
      ['labelSelector=a', 404],
      [selects(`${condition}.status=False`), 404],
      [filters('object.nothing'), 400],
      ['fields=nothing', 400],
    ] as const) {
      assert.equal((await plinth.get(`${PATH}/replica?${query}`)).status, status, query);
    }
    const counted = { kind: 'Count', apiVersion: 'query.cluster.io/v1', metadata: {} };
    assert.deepEqual((await plinth.get(`${PATH}?count=true`)).json, { ...counted, count: 2 });
    const groupBy = encodeURIComponent(`${condition}.status`);
    assert.deepEqual((await plinth.get(`${PATH}?groupBy=${groupBy}`)).json, {
      ...{ ...counted, count: 2 },
      groups: [{ value: 'True', count: 2 }],
      others: 0,
    });
    const { json, headers } = await plinth.get(`${PATH}?authorized=true`);
    assert.equal(json.items.length, 2);
    assert.doesNotMatch(String(headers['warning']), /part/);
    const stranger = { 'impersonate-user': 'stranger' };
    assert.equal((await plinth.get(`${PATH}?authorized=true`, stranger)).status, 403);
  });

  it('finds one by its name, and says so when there is none', async () => {
    const found = await plinth.get(`${PATH}/replica`);
    assert.equal(found.json.kind, 'ComponentStatus');
    assert.equal(found.json.metadata.name, 'replica');
    const missing = await plinth.get(`${PATH}/other`);
    assert.equal(missing.status, 404);
    assert.deepEqual(missing.json.details, { name: 'other', kind: 'componentstatus' });
  });

  it('cannot be watched or written', async () => {
    for (const [method, path] of [
      ['GET', `${PATH}?watch=1`],
      ['POST', PATH],
      ['PUT', `${PATH}/etcd-0`],
      ['DELETE', `${PATH}/etcd-0`],
      ['DELETE', PATH],
    ] as const) {
      const { status, json } = await plinth.send(method, path, method === 'GET' ? undefined : {});
      assert.deepEqual([status, json.reason], [405, 'MethodNotAllowed'], `${method} ${path}`);
    }
  });

  it('shows a store that is gone as unhealthy', async () => {
    await etcd.stop();
    const { json } = await plinth.get(`${PATH}/etcd-0`);
    const [condition] = json.conditions;
    assert.equal(condition.status, 'False');
    assert.notEqual(condition.error ?? '', '');
    const table = await plinth.get(PATH, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    assert.deepEqual(
      table.json.rows.map(({ cells }: any) => cells.slice(0, 2)),
      [
        ['etcd-0', 'Unhealthy'],
        ['replica', 'Healthy'],
      ],
    );
  });
});
