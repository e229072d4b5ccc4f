import assert from 'node:assert/strict';
import { CRDS, install, MERGE, patched } from '../support/custom.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const CRD = `${CRDS}/jobs.test.example.com`;

const schemaOf = (spec: object): object => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: spec } },
});

describe('objects whose definition changes', () => {
  let plinth: Plinth;
  let jobs: string;
  before(async () => {
    plinth = await Plinth.start();
    jobs = await install(plinth, {
      plural: 'jobs',
      kind: 'Job',
      schema: schemaOf({
        size: { type: 'integer' },
        note: { type: 'string' },
        steps: { type: 'array', items: { type: 'string' } },
      }),
    });
  });
  after(() => plinth.dispose());

  const create = (name: string, spec: object): Promise<Reply> =>
    plinth.send('POST', jobs, {
      apiVersion: 'test.example.com/v1',
      kind: 'Job',
      metadata: { name },
      spec,
    });

  /** Gives the only version another schema, and waits until `probe` says that it counts. */
  async function change(spec: object, probe: () => Promise<boolean>): Promise<void> {
    const { json } = await plinth.get(CRD);
    json.spec.versions[0].schema.openAPIV3Schema = schemaOf(spec);
    const reply = await plinth.send('PUT', CRD, json);
    assert.equal(reply.status, 200, reply.text);
    await eventually(probe, 'the schema counts');
  }

  it('are read with the defaults and without the fields of today, and are not written by that', async () => {
    const { json } = await create('a', { size: 1, note: 'old' });
    await change(
      { size: { type: 'integer' }, mode: { type: 'string', default: 'auto' } },
      async () => (await plinth.get(`${jobs}/a`)).json.spec.mode === 'auto',
    );
    const read = await plinth.get(`${jobs}/a`);
    assert.deepEqual(read.json.spec, { mode: 'auto', size: 1 });
    assert.equal(read.json.metadata.resourceVersion, json.metadata.resourceVersion);
    const list = await plinth.get(jobs);
    assert.deepEqual(list.json.items[0].spec, { mode: 'auto', size: 1 });
    const frames: any[] = [];
    const stream = await plinth.watch(`${jobs}?watch=1`, (frame) => frames.push(frame));
    await eventually(() => frames.length > 0, 'the object is watched');
    assert.deepEqual(frames[0].object.spec, { mode: 'auto', size: 1 });
    stream.close();
    const version = json.metadata.resourceVersion as string;
    const written = await patched(plinth, `${jobs}/a`, MERGE, { spec: { size: 2 } });
    assert.deepEqual(written.json.spec, { mode: 'auto', size: 2 });
    assert.notEqual(written.json.metadata.resourceVersion, version);
  });

  it('may keep what was valid once, as long as it does not change (ratcheting)', async () => {
    const open = {
      size: { type: 'integer' },
      note: { type: 'string' },
      steps: { type: 'array', items: { type: 'string' } },
      byName: {
        type: 'array',
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, value: { type: 'string' } },
        },
      },
    };
    await change(open, async () => {
      const { json } = await create('probe', { byName: [{ name: 'x' }] });
      await plinth.send('DELETE', `${jobs}/probe`);
      return json.spec?.byName !== undefined;
    });
    const spec = {
      size: 100,
      note: 'far too long',
      steps: ['LOUD', 'quiet'],
      byName: [
        { name: 'a', value: 'LOUD' },
        { name: 'b', value: 'quiet' },
      ],
    };
    assert.equal((await create('r', spec)).status, 201);
    const quiet = { type: 'string', pattern: '^[a-z]*$' };
    const strict = structuredClone(open) as any;
    strict.size.maximum = 10;
    strict.note.maxLength = 5;
    strict.steps.items = quiet;
    strict.byName.items.properties.value = quiet;
    await change(strict, async () => (await create('bad', { size: 11 })).status === 422);

    const update = (part: object): Promise<Reply> =>
      patched(plinth, `${jobs}/r`, MERGE, { spec: part });
    const fields = ({ status, json }: Reply): unknown =>
      status === 200 ? 'fine' : json.details.causes.map(({ field }: any) => field);

    assert.equal(
      fields(await patched(plinth, `${jobs}/r`, MERGE, { metadata: { labels: { a: 'b' } } })),
      'fine',
    );
    assert.equal(fields(await update({ size: 9 })), 'fine');
    assert.deepEqual(fields(await update({ size: 50 })), ['spec.size']);
    assert.deepEqual(fields(await update({ note: 'another long one' })), ['spec.note']);
    // items of a map are the same by their key, wherever they stand
    const moved = [
      { name: 'c', value: 'new' },
      { name: 'a', value: 'LOUD' },
    ];
    assert.equal(fields(await update({ byName: moved })), 'fine');
    assert.deepEqual(fields(await update({ byName: [{ name: 'a', value: 'LOUDER' }] })), [
      'spec.byName[0].value',
    ]);
    // those of an atomic list are not: any change of it is judged as a whole
    assert.deepEqual(fields(await update({ steps: ['LOUD', 'quiet', 'more'] })), ['spec.steps[0]']);
    assert.equal(fields(await update({ steps: ['quiet'] })), 'fine');
    // nothing of it helps a new object
    assert.equal((await create('new', spec)).status, 422);
  });
});
