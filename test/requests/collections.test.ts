import assert from 'node:assert/strict';
import { install, shownAs } from '../support/custom.ts';
import { eventually, Plinth } from '../support/plinth.ts';

describe('requests for collections', () => {
  let plinth: Plinth;
  let gadgets: string;
  before(async () => {
    plinth = await Plinth.start();
    gadgets = await install(plinth, { plural: 'gadgets', kind: 'Gadget' });
    for (const name of ['a', 'b', 'c']) await create(name);
  });
  after(() => plinth.dispose());

  async function create(name: string, metadata: object = {}): Promise<any> {
    const reply = await plinth.send('POST', gadgets, {
      apiVersion: 'test.example.com/v1',
      kind: 'Gadget',
      metadata: { name, ...metadata },
    });
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  }

  async function names(query: string): Promise<string[]> {
    const { json } = await plinth.get(`${gadgets}?${query}`);
    return json.items.map((item: any) => item.metadata.name);
  }

  async function firstFrames(query: string, count: number): Promise<any[]> {
    const frames: any[] = [];
    const stream = await plinth.watch(`${gadgets}?watch=1&${query}`, (frame) => frames.push(frame));
    await eventually(() => frames.length >= count, `${count} frames of ${query}`);
    stream.close();
    return frames.slice(0, count);
  }

  it('a list of any state is whole, whatever its limit', async () => {
    for (const query of [
      'resourceVersion=0',
      'resourceVersion=0&resourceVersionMatch=NotOlderThan',
    ]) {
      const { json } = await plinth.get(`${gadgets}?limit=1&${query}`);
      assert.equal(json.items.length, 3, query);
      assert.equal(json.metadata.continue, '');
    }
    assert.deepEqual(await names('limit=1'), ['a']);
    const { json } = await plinth.get(`${gadgets}?limit=1`);
    assert.deepEqual(await names(`limit=1&resourceVersion=0&continue=${json.metadata.continue}`), [
      'b',
    ]);
  });

  it('are selected by namespace where objects have one, or the common rules apply', async () => {
    const suns = await install(plinth, { plural: 'suns', kind: 'Sun', scope: 'Cluster' });
    const status = async (path: string): Promise<number> =>
      (await plinth.get(`${path}?fieldSelector=metadata.namespace%3Dx`)).status;
    assert.equal(await status(gadgets), 200);
    assert.equal(await status('/apis/node.cluster.io/v1/runtimeclasses'), 200);
    for (const path of [suns, '/api/v1/nodes', '/api/v1/namespaces']) {
      assert.equal(await status(path), 400, path);
      assert.equal((await plinth.get(`${path}?fieldSelector=metadata.name%3Dx`)).status, 200);
    }
  });

  it('one object by its name is found whatever the token', async () => {
    const { json } = await plinth.get(`${gadgets}?limit=2`);
    const one = 'limit=1&fieldSelector=metadata.name%3Da';
    for (const token of [json.metadata.continue, 'x']) {
      assert.deepEqual(await names(`${one}&continue=${token}`), ['a'], token);
    }
  });

  it('every condition on the name counts', async () => {
    const by = (selector: string): Promise<string[]> =>
      names(`fieldSelector=${encodeURIComponent(selector)}`);
    assert.deepEqual(await by('metadata.name=a,metadata.name=b'), []);
    assert.deepEqual(await by('metadata.name=a,metadata.name!=a'), []);
    assert.deepEqual(await by('metadata.name=a,metadata.name!=b'), ['a']);
    assert.deepEqual(await by('metadata.name=a,metadata.name=a'), ['a']);
  });

  it('bookmarks begin with the end of the present objects', async () => {
    for (const query of ['', 'resourceVersion=0']) {
      const frames = await firstFrames(`allowWatchBookmarks=true&${query}`, 4);
      assert.deepEqual(
        frames.map(({ type }) => type),
        ['ADDED', 'ADDED', 'ADDED', 'BOOKMARK'],
      );
      assert.deepEqual(frames[3].object.metadata.annotations, {
        'k8s.io/initial-events-end': 'true',
      });
    }
  });

  it('history begins with the installation', async () => {
    const [frame] = await firstFrames('resourceVersion=1', 1);
    assert.deepEqual(
      [frame.type, frame.object.code, frame.object.reason],
      ['ERROR', 410, 'Expired'],
    );
    const exact = await plinth.get(`${gadgets}?resourceVersion=1&resourceVersionMatch=Exact`);
    assert.equal(exact.status, 410);
    const first = await plinth.get('/api/v1/namespaces/cluster-node-lease');
    const from = first.json.metadata.resourceVersion as string;
    assert.equal((await firstFrames(`resourceVersion=${from}`, 1))[0].type, 'ADDED');
  });

  it('deletecollection tells which objects it took', async () => {
    const held = await create('held', { labels: { set: 'x' }, finalizers: ['example.com/hold'] });
    const free = await create('free', { labels: { set: 'x' } });
    const { status, json } = await plinth.send('DELETE', `${gadgets}?labelSelector=set=x`);
    assert.equal(status, 200);
    assert.equal(json.status, 'Success');
    assert.deepEqual(json.details, {
      group: 'test.example.com',
      kind: 'gadgets',
      causes: [
        { reason: 'Deleted', message: `uid ${free.metadata.uid}`, field: 'default/free' },
        {
          reason: 'WaitsForFinalizers',
          message: `uid ${held.metadata.uid}`,
          field: 'default/held',
        },
      ],
    });
  });

  it('a watch by the path of one object selects nothing else', async () => {
    const path = gadgets.replace('/v1/', '/v1/watch/');
    const status = async (selector: string): Promise<number> => {
      const query = `fieldSelector=${encodeURIComponent(selector)}&timeoutSeconds=1`;
      return (await plinth.get(`${path}/a?${query}`)).status;
    };
    assert.equal(await status('metadata.name=a'), 200);
    for (const other of ['metadata.name=b', 'metadata.name!=b', 'metadata.namespace=default']) {
      assert.equal(await status(other), 400, other);
    }
    const { json } = await plinth.get(`${path}/a?fieldSelector=metadata.name%3Db`);
    assert.equal(json.message, "fieldSelector metadata.name doesn't match requested name");
  });

  it('a delete keeps to the preconditions of its query', async () => {
    const { metadata } = await create('kept');
    for (const [query, message] of [
      ['uid=another', /UID in the precondition \(another\)/],
      ['resourceVersion=1', /ResourceVersion in the precondition \(1\)/],
    ] as const) {
      const reply = await plinth.send('DELETE', `${gadgets}/kept?${query}`);
      assert.equal(reply.status, 409, query);
      assert.match(reply.json.message, message);
      const all = `${gadgets}?fieldSelector=metadata.name%3Dkept&dryRun=All&${query}`;
      const status = query.startsWith('uid') ? 409 : 200;
      assert.equal((await plinth.send('DELETE', all)).status, status, 'the version is the list’s');
    }
    const { uid, resourceVersion } = metadata;
    const query = `uid=${uid}&resourceVersion=${resourceVersion}`;
    assert.equal((await plinth.send('DELETE', `${gadgets}/kept?${query}`)).status, 200);
  });

  it('deletes answer metadata where it was asked for and is there', async () => {
    await create('waits', { labels: { set: 'y' }, finalizers: ['example.com/hold'] });
    await create('goes', { labels: { set: 'y' } });
    const one = shownAs('PartialObjectMetadata');
    const goes = await plinth.send('DELETE', `${gadgets}/goes?dryRun=All`, undefined, one);
    assert.equal(goes.json.kind, 'Status');
    const waits = await plinth.send('DELETE', `${gadgets}/waits`, undefined, one);
    assert.equal(waits.json.kind, 'PartialObjectMetadata');
    assert.ok(waits.json.metadata.deletionTimestamp);
    const all = shownAs('PartialObjectMetadataList');
    const list = await plinth.send('DELETE', `${gadgets}?labelSelector=set=y`, undefined, all);
    assert.equal(list.json.kind, 'PartialObjectMetadataList');
    assert.deepEqual(
      list.json.items.map((item: any) => item.metadata.name),
      ['goes', 'waits'],
    );
    assert.equal((await plinth.get(`${gadgets}/goes`)).status, 404);
  });
});
