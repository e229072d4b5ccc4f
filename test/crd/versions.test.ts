import assert from 'node:assert/strict';
import { CRDS, install, JSON_PATCH, MERGE, OPEN_SCHEMA, patched } from '../support/custom.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const GROUP = 'versions.example.com';
const CRD = `${CRDS}/notes.${GROUP}`;

const version = (name: string, more: object = {}): object => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: OPEN_SCHEMA },
  ...more,
});

describe('versions of custom resources', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
    await install(plinth, {
      plural: 'notes',
      kind: 'Note',
      group: GROUP,
      versions: [
        version('v1beta1', { deprecated: true }),
        version('v1alpha1', { deprecated: true, deprecationWarning: 'write v1 instead' }),
        version('v1', { storage: true }),
        version('v2', { served: false }),
        version('foo'),
        version('v10'),
      ],
    });
  });
  after(() => plinth.dispose());

  const notes = (api: string): string => `/apis/${GROUP}/${api}/namespaces/default/notes`;
  const create = (api: string, name: string): Promise<Reply> =>
    plinth.send('POST', notes(api), {
      apiVersion: `${GROUP}/${api}`,
      kind: 'Note',
      metadata: { name },
      spec: { text: 'x' },
    });

  it('show every object in the version that is asked for', async () => {
    assert.equal((await create('v1beta1', 'a')).json.apiVersion, `${GROUP}/v1beta1`);
    for (const api of ['v1', 'v1beta1', 'v1alpha1', 'foo', 'v10']) {
      const one = await plinth.get(`${notes(api)}/a`);
      assert.equal(one.json.apiVersion, `${GROUP}/${api}`);
      assert.equal(one.json.spec.text, 'x');
      const list = await plinth.get(notes(api));
      assert.equal(list.json.apiVersion, `${GROUP}/${api}`);
      assert.equal(list.json.items[0].apiVersion, `${GROUP}/${api}`);
    }
    const wrong = { apiVersion: `${GROUP}/v1`, kind: 'Note', metadata: { name: 'b' } };
    assert.equal((await plinth.send('POST', notes('v1beta1'), wrong)).status, 400);
  });

  it('that are not served are not there', async () => {
    assert.equal((await plinth.get(notes('v2'))).status, 404);
    assert.equal((await create('v2', 'b')).status, 404);
    assert.equal((await plinth.get(`/apis/${GROUP}/v2`)).status, 404);
  });

  it('stand in discovery as version names order', async () => {
    const { json } = await plinth.get(`/apis/${GROUP}`);
    const names = json.versions.map(({ version: name }: any) => name);
    assert.deepEqual(names, ['v10', 'v1', 'v1beta1', 'v1alpha1', 'foo']);
    assert.equal(json.preferredVersion.version, 'v10');
  });

  it('that are deprecated say so with every answer', async () => {
    const warning = async (method: string, path: string, body?: object): Promise<unknown> =>
      (await plinth.send(method, path, body)).headers.warning;
    const own = `299 - "${GROUP}/v1beta1 Note is deprecated; use ${GROUP}/v10 Note"`;
    assert.equal(await warning('GET', notes('v1beta1')), own);
    assert.equal(await warning('GET', `${notes('v1beta1')}/nope`), own);
    assert.equal(await warning('DELETE', `${notes('v1beta1')}/nope`), own);
    assert.equal(await warning('POST', notes('v1beta1'), {}), own);
    assert.equal(await warning('GET', notes('v1alpha1')), '299 - "write v1 instead"');
    assert.equal(await warning('GET', notes('v1')), undefined);
  });

  it('that were stored once stay in the definition until they are unused', async () => {
    const storage = await patched(plinth, CRD, JSON_PATCH, [
      { op: 'replace', path: '/spec/versions/2/storage', value: false },
      { op: 'replace', path: '/spec/versions/5/storage', value: true },
    ]);
    assert.deepEqual(storage.json.status.storedVersions, ['v1', 'v10']);
    const remove = [
      { op: 'test', path: '/spec/versions/2/name', value: 'v1' },
      { op: 'remove', path: '/spec/versions/2' },
    ];
    const refused = await patched(plinth, CRD, JSON_PATCH, remove);
    assert.equal(refused.status, 422);
    assert.match(
      refused.json.message,
      /status\.storedVersions\[0\].*v1 was previously a storage version/,
    );
    // written again it is stored in the new version
    await eventually(async () => {
      const reply = await patched(plinth, `${notes('v1')}/a`, MERGE, { spec: { text: 'y' } });
      return reply.status === 200;
    }, 'the object is written again');
    const only = { status: { storedVersions: ['v10'] } };
    const migrated = await patched(plinth, `${CRD}/status`, MERGE, only);
    assert.deepEqual(migrated.json.status.storedVersions, ['v10']);
    assert.equal((await patched(plinth, CRD, JSON_PATCH, remove)).status, 200);
    await eventually(async () => (await plinth.get(notes('v1'))).status === 404, 'v1 is gone');
    assert.equal((await plinth.get(`${notes('v10')}/a`)).json.spec.text, 'y');
    // there is always the one that is stored now
    const none = { status: { storedVersions: [] } };
    const filled = await patched(plinth, `${CRD}/status`, MERGE, none);
    assert.deepEqual(filled.json.status.storedVersions, ['v10']);
  });

  it('watches see every write in their own version', async () => {
    const seen: string[] = [];
    const stream = await plinth.watch(
      `${notes('foo')}?watch=1&resourceVersion=0`,
      ({ type, object }) => seen.push(`${type} ${object.apiVersion} ${object.metadata.name}`),
    );
    await create('v10', 'w');
    await eventually(
      () => seen.some((line) => line === `ADDED ${GROUP}/foo w`),
      'the write is seen',
    );
    assert.ok(seen.every((line) => line.includes(`${GROUP}/foo`)));
    stream.close();
  });
});
