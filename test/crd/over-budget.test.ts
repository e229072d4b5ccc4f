import assert from 'node:assert/strict';
import { APPLY, CRDS, install, JSON_PATCH, MERGE, patched, shownAs } from '../support/custom.ts';
import { AdmissionWebhooks, patchWith, Registrations } from '../support/admission-webhook.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const TEXT = 'x'.repeat(100_000);
const HOLD = 'test.example.com/hold';

/** Objects of it are written first, then `grown` adds 100 KB for each item of their list. */
const schemaOf = (grown: boolean): object => ({
  type: 'object',
  ...(grown ? { required: ['mode'] } : {}),
  properties: {
    ...(grown ? { mode: { type: 'string', default: 'fast' } } : {}),
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        list: {
          type: 'array',
          items: {
            type: 'object',
            ...(grown ? { properties: { text: { type: 'string', default: TEXT } } } : {}),
          },
        },
      },
    },
  },
});
const items = (count: number): object => ({ list: Array.from({ length: count }, () => ({})) });

describe('an object that its definition has given too many defaults', () => {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  let path: string;
  let made = 0;
  before(async () => {
    webhooks = await AdmissionWebhooks.start();
    plinth = await Plinth.start();
    const definition = { plural: 'grown', kind: 'Grown', schema: schemaOf(false) };
    path = await install(plinth, definition);
    for (let i = 0; i < 8; i++) {
      const metadata = { name: `o${i}`, finalizers: [HOLD], labels: { a: 'b' } };
      const body = { ...TYPE, metadata, spec: items(50) };
      assert.equal((await plinth.send('POST', path, body)).status, 201);
    }
    const name = `${CRDS}/grown.test.example.com`;
    const { json } = await plinth.get(name);
    json.spec.versions[0].schema.openAPIV3Schema = schemaOf(true);
    assert.equal((await plinth.send('PUT', name, json)).status, 200);
    await eventually(async () => (await plinth.get(`${path}/o0`)).status === 500, 'it counts');
  });
  after(async () => {
    await plinth.dispose();
    await webhooks.close();
  });

  const TYPE = { apiVersion: 'test.example.com/v1', kind: 'Grown' };
  const next = (): string => `o${made++}`;
  const listed = async (name: string): Promise<any> => {
    const { json } = await plinth.get(path);
    return json.items.find(({ metadata }: any) => metadata.name === name);
  };
  const allowed = (reply: Reply): any => {
    assert.equal(reply.status, 200, reply.text.slice(0, 500));
    return reply.json;
  };

  it('loses its finalizer by a merge patch, and goes when it was being deleted', async () => {
    const name = next();
    allowed(await plinth.send('DELETE', `${path}/${name}`));
    const meta = await plinth.get(`${path}/${name}`, shownAs('PartialObjectMetadata'));
    assert.notEqual(meta.json.metadata.deletionTimestamp, undefined);
    const body = { metadata: { finalizers: null } };
    allowed(await patched(plinth, `${path}/${name}`, MERGE, body));
    assert.equal(await listed(name), undefined);
  });

  it('loses its finalizer by a JSON patch, and keeps its content without defaults', async () => {
    const name = next();
    const body = [{ op: 'remove', path: '/metadata/finalizers' }];
    const dry = await patched(plinth, `${path}/${name}?dryRun=All`, JSON_PATCH, body);
    assert.equal(allowed(dry).metadata.finalizers, undefined);
    const shown = allowed(await patched(plinth, `${path}/${name}`, JSON_PATCH, body));
    assert.deepEqual([shown.mode, shown.spec], [undefined, items(50)]);
    assert.equal(shown.metadata.generation, 1);
    assert.equal((await listed(name)).metadata.finalizers, undefined);
  });

  it('loses its finalizer by a PUT of what a list shows', async () => {
    const name = next();
    const { metadata, ...content } = await listed(name);
    delete metadata.finalizers;
    const body = { ...TYPE, ...content, metadata };
    allowed(await plinth.send('PUT', `${path}/${name}`, body));
    assert.equal((await listed(name)).metadata.finalizers, undefined);
  });

  it('gets a label by an apply', async () => {
    const name = next();
    const body = { ...TYPE, metadata: { name, labels: { mine: 'x' } } };
    const query = '?fieldManager=me&force=true';
    allowed(await patched(plinth, `${path}/${name}${query}`, APPLY, body));
    assert.deepEqual((await listed(name)).metadata.labels, { a: 'b', mine: 'x' });
  });

  it('is shown whole again when a patch or a PUT makes it smaller', async () => {
    const name = next();
    const smaller = allowed(await patched(plinth, `${path}/${name}`, MERGE, { spec: items(1) }));
    assert.deepEqual([smaller.mode, smaller.spec.list[0].text], ['fast', TEXT]);
    const other = next();
    const { metadata } = await listed(other);
    const body = { ...TYPE, metadata, spec: items(2) };
    assert.equal(allowed(await plinth.send('PUT', `${path}/${other}`, body)).spec.list.length, 2);
    assert.equal((await plinth.get(`${path}/${other}`)).status, 200);
  });

  it('refuses content that is still too large, and says how to proceed', async () => {
    const name = next();
    const { metadata } = await listed(name);
    const body = { ...TYPE, metadata, spec: items(49) };
    for (const refused of [
      await patched(plinth, `${path}/${name}`, MERGE, { spec: items(49) }),
      await patched(plinth, `${path}/${name}`, JSON_PATCH, [
        { op: 'add', path: '/spec/size', value: 1 },
      ]),
      await plinth.send('PUT', `${path}/${name}`, body),
    ]) {
      assert.equal(refused.status, 422, refused.text.slice(0, 500));
      assert.match(refused.json.details.causes[0].field, /^spec\.list\[\d+\]\.text$/);
      assert.match(refused.json.message, /change only the metadata of this object/);
    }
  });

  it('loses its finalizer although a webhook adds a label to all that is written', async () => {
    const registrations = new Registrations(() => plinth);
    webhooks.on('/label', () => patchWith({ op: 'add', path: '/metadata/labels/w', value: 'x' }));
    const rule = { apiGroups: ['test.example.com'], apiVersions: ['*'], resources: ['grown'] };
    const hook = webhooks.hook('/label', { rules: [{ ...rule, operations: ['UPDATE'] }] });
    await registrations.webhooks('mutating', 'label', hook);
    const name = next();
    const body = { metadata: { finalizers: null } };
    const { metadata } = allowed(await patched(plinth, `${path}/${name}`, MERGE, body));
    assert.deepEqual([metadata.finalizers, metadata.labels], [undefined, { a: 'b', w: 'x' }]);
  });
});
