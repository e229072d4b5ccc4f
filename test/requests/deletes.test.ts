import assert from 'node:assert/strict';
import { install, MERGE, patched } from '../support/custom.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const NAMESPACES = '/api/v1/namespaces';

describe('deletes', () => {
  let plinth: Plinth;
  let gadgets: string;
  before(async () => {
    plinth = await Plinth.start();
    gadgets = await install(plinth, { plural: 'gadgets', kind: 'Gadget' });
  });
  after(() => plinth.dispose());

  async function gadget(name: string, finalizers: string[] = []): Promise<string> {
    const reply = await plinth.send('POST', gadgets, {
      apiVersion: 'test.example.com/v1',
      kind: 'Gadget',
      metadata: { name, finalizers },
    });
    assert.equal(reply.status, 201, reply.text);
    return `${gadgets}/${name}`;
  }

  async function namespace(name: string, object: object = {}): Promise<string> {
    const reply = await plinth.send('POST', NAMESPACES, { metadata: { name }, ...object });
    assert.equal(reply.status, 201, reply.text);
    return `${NAMESPACES}/${name}`;
  }

  async function deleted(path: string): Promise<any> {
    const reply = await plinth.send('DELETE', path);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  }

  /** The object as the delete has written it: a controller goes on at once. */
  async function marked(path: string, query: string): Promise<any> {
    const [, collection = '', name = ''] = /^(.+)\/([^/]+)$/.exec(path) ?? [];
    const since = (await plinth.get(path)).json.metadata.resourceVersion;
    const frames: any[] = [];
    const { close, ended } = await plinth.watch(
      `${collection}?watch=1&fieldSelector=metadata.name=${name}&resourceVersion=${since}`,
      (frame) => frames.push(frame),
    );
    await deleted(`${path}?${query}`);
    await eventually(() => frames.length > 0, 'the mark of the delete');
    close();
    await ended;
    return frames[0].object;
  }

  it('keep to options of the query whatever body comes with them', async () => {
    const path = await gadget('kept');
    for (const body of ['{}', 'null', { kind: 'DeleteOptions' }, { dryRun: [] }]) {
      for (const where of [path, gadgets]) {
        const reply = await plinth.send('DELETE', `${where}?dryRun=All`, body);
        assert.equal(reply.status, 200, reply.text);
        assert.equal((await plinth.get(path)).status, 200, JSON.stringify(body));
      }
      const other = await plinth.send('DELETE', `${path}?uid=another`, body);
      assert.equal(other.status, 409, other.text);
      await plinth.send('DELETE', `${path}?dryRun=All&propagationPolicy=Wrong`, body);
      const wrong = await plinth.send('DELETE', `${path}?propagationPolicy=Wrong`, body);
      assert.equal(wrong.status, 422, wrong.text);
    }
    const body = { propagationPolicy: 'Foreground' };
    const same = `${path}?propagationPolicy=Foreground&dryRun=All`;
    assert.equal((await plinth.send('DELETE', same, body)).status, 200);
    await plinth.send('DELETE', `${path}?propagationPolicy=Background`, {});
    assert.equal((await plinth.get(path)).status, 404);
  });

  it('are refused when query and body contradict each other', async () => {
    const path = await gadget('contradicted');
    const { uid, resourceVersion } = (await plinth.get(path)).json.metadata;
    for (const [query, body, option] of [
      ['gracePeriodSeconds=1', { gracePeriodSeconds: 0 }, 'gracePeriodSeconds'],
      ['propagationPolicy=Orphan', { propagationPolicy: 'Background' }, 'propagationPolicy'],
      ['orphanDependents=true', { orphanDependents: false }, 'orphanDependents'],
      ['uid=another', { preconditions: { uid } }, 'preconditions.uid'],
      [
        'resourceVersion=1',
        { preconditions: { resourceVersion } },
        'preconditions.resourceVersion',
      ],
    ] as const) {
      const reply = await plinth.send('DELETE', `${path}?${query}`, body);
      assert.equal(reply.status, 400, reply.text);
      assert.ok(reply.json.message.startsWith(`${option} is `), reply.text);
    }
    const both = await plinth.send('DELETE', `${path}?orphanDependents=true`, {
      propagationPolicy: 'Orphan',
    });
    assert.equal(both.status, 422, both.text);
    const list = await plinth.send('DELETE', `${gadgets}?gracePeriodSeconds=1`, {
      gracePeriodSeconds: 0,
    });
    assert.equal(list.status, 400, list.text);
    assert.equal((await plinth.get(path)).status, 200);
    const agreed = `${path}?gracePeriodSeconds=0&uid=${uid}`;
    const body = { gracePeriodSeconds: 0, preconditions: { uid } };
    assert.equal((await plinth.send('DELETE', agreed, body)).status, 200);
  });

  it('mark a namespace without a grace period, and it keeps its generation', async () => {
    const path = await namespace('held', {
      metadata: { name: 'held', generation: 4 },
      spec: { finalizers: ['example.com/hold'] },
    });
    await plinth.send('PUT', `${path}/finalize`, {
      metadata: { name: 'held' },
      spec: { finalizers: ['example.com/hold'] },
    });
    const json = await marked(path, 'propagationPolicy=Orphan');
    assert.equal(json.status.phase, 'Terminating');
    assert.match(json.metadata.deletionTimestamp, /^20/);
    assert.equal('deletionGracePeriodSeconds' in json.metadata, false);
    assert.equal(json.metadata.generation, 4);
    assert.deepEqual(json.metadata.finalizers, ['orphan']);
  });

  it('do nothing to a namespace that is being deleted already', async () => {
    const path = await namespace('again', { spec: { finalizers: ['example.com/hold'] } });
    await plinth.send('PUT', `${path}/finalize`, {
      metadata: { name: 'again' },
      spec: { finalizers: ['example.com/hold'] },
    });
    await deleted(path);
    const before = (await plinth.get(path)).json.metadata;
    await deleted(`${path}?propagationPolicy=Foreground`);
    const { metadata } = (await plinth.get(path)).json;
    assert.deepEqual([metadata.finalizers, metadata.uid], [undefined, before.uid]);
  });

  it('keep the order of finalizers when the policy asks for nothing new', async () => {
    const path = await gadget('ordered', ['foregroundDeletion', 'example.com/a']);
    const json = await marked(path, 'propagationPolicy=Foreground');
    assert.deepEqual(json.metadata.finalizers, ['foregroundDeletion', 'example.com/a']);
    await patched(plinth, path, MERGE, { metadata: { finalizers: null } });
  });

  it('take null for options without anything', async () => {
    const path = await gadget('null');
    assert.equal((await plinth.send('DELETE', path, null)).status, 200);
    assert.equal((await plinth.get(path)).status, 404);
  });

  it('tell everything that is wrong with a policy', async () => {
    const path = await gadget('policies');
    const query = 'propagationPolicy=Sideways&orphanDependents=true';
    const { status, json } = await plinth.send('DELETE', `${path}?${query}`);
    assert.equal(status, 422);
    assert.deepEqual(
      json.details.causes.map((cause: any) => `${cause.reason} ${cause.field}`),
      ['FieldValueInvalid propagationPolicy', 'FieldValueNotSupported propagationPolicy'],
    );
  });
});
