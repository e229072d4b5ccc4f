import assert from 'node:assert/strict';
import { APPLY, install, JSON_PATCH, MERGE, patched, STRATEGIC } from '../support/custom.ts';
import { Plinth, type Reply } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const SIDE = { type: 'object', properties: { long: { type: 'boolean' } } };

describe('patches', () => {
  let plinth: Plinth;
  let gadgets: string;
  before(async () => {
    plinth = await Plinth.start();
    gadgets = await install(plinth, { plural: 'gadgets', kind: 'Gadget' });
    await plinth.send('POST', gadgets, {
      apiVersion: 'test.example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'a' },
      spec: { size: 1 },
    });
    await plinth.send('POST', LEASES, { metadata: { name: 'a' } });
  });
  after(() => plinth.dispose());

  const merge = (body: unknown, path = `${gadgets}/a`): Promise<Reply> =>
    patched(plinth, path, MERGE, body);
  const fields = ({ json }: Reply): string[] =>
    json.details.causes.map((cause: any) => cause.field);

  it('of what does not exist are told so, however broken they are', async () => {
    for (const [body, status] of [
      ['[{"op":"replace","path":"x"}]', 422],
      ['{}', 400],
      ['nonsense', 400],
    ] as const) {
      assert.equal((await patched(plinth, `${gadgets}/no`, JSON_PATCH, body)).status, 404, body);
      assert.equal((await patched(plinth, `${gadgets}/a`, JSON_PATCH, body)).status, status, body);
    }
    assert.equal((await merge('nonsense', `${gadgets}/no`)).status, 404);
  });

  it('and other requests find nothing by a name that no object can have', async () => {
    const [wrong, elsewhere] = [`${LEASES}/a%00b`, `${LEASES.replace('default', '%00')}/a`];
    for (const path of [wrong, elsewhere]) {
      assert.equal((await plinth.get(path)).status, 404);
      assert.equal((await plinth.send('DELETE', path)).status, 404);
      assert.equal((await plinth.send('PUT', path, { metadata: { name: 'a' } })).status, 404);
      assert.equal((await merge({}, path)).status, 404);
      const applied = { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease' };
      const reply = await patched(plinth, `${path}?fieldManager=m`, APPLY, applied);
      assert.equal(reply.status, 404, reply.text);
    }
    const created = await plinth.send('POST', LEASES.replace('default', '%00'), {
      metadata: { name: 'a' },
    });
    assert.equal(created.status, 404, created.text);
  });

  it('take fields over as everything but `false` and `0` says', async () => {
    const path = `${gadgets}/forced`;
    const apply = (query: string, size: number): Promise<Reply> =>
      patched(plinth, `${path}?${query}`, APPLY, {
        apiVersion: 'test.example.com/v1',
        kind: 'Gadget',
        metadata: { name: 'forced' },
        spec: { size },
      });
    assert.equal((await apply('fieldManager=first', 1)).status, 201);
    for (const no of ['false', 'FALSE', '0']) {
      assert.equal((await apply(`fieldManager=second&force=${no}`, 2)).status, 409, no);
    }
    assert.equal((await apply('fieldManager=second&force=', 2)).status, 200);
  });

  it('have types that count by the letter, with parameters', async () => {
    const status = async (type: string): Promise<number> =>
      (await patched(plinth, `${gadgets}/a`, type, { spec: { size: 2 } })).status;
    assert.equal(await status(`${MERGE}; charset=utf-8`), 200);
    assert.equal(await status('Application/Merge-Patch+JSON'), 415);
    assert.equal(await status('application/json'), 415);
    const custom = await patched(plinth, `${gadgets}/a`, 'application/json', {});
    assert.equal(custom.json.details, undefined);
    const builtin = await patched(plinth, `${LEASES}/a`, 'application/json', {});
    assert.deepEqual(builtin.json.details, {});
  });

  it('cannot make another kind of thing of an object', async () => {
    const kind = await merge({ kind: 'Other' });
    assert.deepEqual([kind.status, kind.json.details.kind, fields(kind)], [422, 'Other', ['kind']]);
    const version = await merge({ apiVersion: 'test.example.com/v2' });
    assert.deepEqual([version.status, fields(version)], [422, ['apiVersion']]);
    const both = await merge({ kind: 'Other', apiVersion: 'example.org/v1' });
    assert.deepEqual([both.status, fields(both)], [422, ['kind', 'apiVersion']]);
    assert.deepEqual([both.json.details.group, both.json.details.kind], ['example.org', 'Other']);
    for (const body of [{ kind: null }, { apiVersion: null }]) {
      const gone = await merge(body);
      assert.deepEqual([gone.status, fields(gone)], [422, ['patch']]);
    }
    for (const body of [{ kind: 'Other' }, { apiVersion: 'v7' }]) {
      const builtin = await merge(body, `${LEASES}/a`);
      assert.deepEqual([builtin.status, fields(builtin)], [422, ['patch']]);
    }
    assert.equal((await merge({ kind: null, apiVersion: null }, `${LEASES}/a`)).status, 200);
    // what merges by the schema of the kind is of the kind, whatever it says
    const status = async (body: object): Promise<number> =>
      (await patched(plinth, `${LEASES}/a`, STRATEGIC, body)).status;
    assert.equal(await status({ kind: 'Other', apiVersion: 'v7' }), 200);
    assert.equal(await status({ kind: 7 }), 422);
    assert.equal((await plinth.get(`${LEASES}/a`)).json.kind, 'Lease');
  });

  it('cannot change the uid, which of a PUT is a precondition', async () => {
    const uid = '11111111-2222-3333-4444-555555555555';
    for (const path of [`${gadgets}/a`, `${LEASES}/a`]) {
      const reply = await merge({ metadata: { uid } }, path);
      assert.equal(reply.status, 422, path);
      assert.equal(new Set(fields(reply)).size, 1);
      assert.equal(fields(reply)[0], 'metadata.uid');
    }
    const { json } = await plinth.get(`${gadgets}/a`);
    json.metadata.uid = uid;
    assert.equal((await plinth.send('PUT', `${gadgets}/a`, json)).status, 409);
  });

  it('cannot take away the resourceVersion where an update needs one', async () => {
    for (const resourceVersion of ['', null, '0']) {
      const body = { metadata: { resourceVersion } };
      for (const path of [`${gadgets}/a`, `${LEASES}/a`]) {
        const reply = await merge(body, path);
        assert.equal(reply.status, 422, `${path} ${JSON.stringify(body)}`);
        assert.deepEqual(fields(reply), ['metadata.resourceVersion']);
      }
      assert.equal((await merge(body, '/api/v1/namespaces/default')).status, 200);
    }
  });

  it('tell of keys that occur twice, in YAML by their lines', async () => {
    const text = `apiVersion: test.example.com/v1
kind: Gadget
metadata: {name: a}
spec:
  color: red
  color: blue
  shape: round
  shape: oval
`;
    const path = `${gadgets}/a?fieldManager=me`;
    const warned = await patched(plinth, path, APPLY, text);
    assert.equal(warned.status, 200);
    assert.equal(
      warned.headers.warning,
      '299 - "line 6: key \\"color\\" already set in map", 299 - "line 8: key \\"shape\\" already set in map"',
    );
    const strict = await patched(plinth, `${path}&fieldValidation=Strict`, APPLY, text);
    assert.equal(strict.status, 400);
    assert.match(
      strict.json.message,
      /^error strict decoding YAML: .*\n {2}line 6: .*\n {2}line 8: /,
    );
    const json = '{"spec":{"size":1,"size":2}}';
    assert.match(String((await merge(json)).headers.warning), /duplicate field \\"spec.size\\"/);
  });

  it('that replace a missing field add it, if the version has it', async () => {
    const shapes = await install(plinth, {
      plural: 'shapes',
      kind: 'Shape',
      schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { size: { type: 'integer' }, sides: { type: 'array', items: SIDE } },
          },
        },
      },
    });
    const type = { apiVersion: 'test.example.com/v1', kind: 'Shape' };
    const body = { ...type, metadata: { name: 'a' }, spec: { sides: [{ long: true }] } };
    await plinth.send('POST', shapes, body);
    const replace = (path: string, query = ''): Promise<Reply> =>
      patched(plinth, `${shapes}/a${query}`, JSON_PATCH, [{ op: 'replace', path, value: 3 }]);
    for (const [path, field] of [
      ['/spec/width', 'spec.width'],
      ['/spec/sides/0/short', 'spec.sides[0].short'],
    ] as const) {
      const warned = await replace(path);
      assert.equal(warned.status, 200, warned.text);
      assert.deepEqual(warned.json.spec, { sides: [{ long: true }] });
      assert.match(
        String(warned.headers.warning),
        new RegExp(`unknown field .*${field}`.replaceAll('[', '\\[')),
      );
      const strict = await replace(path, '?fieldValidation=Strict');
      assert.deepEqual([strict.status, fields(strict)], [422, ['patch']]);
    }
    assert.equal((await replace('/spec/size')).json.spec.size, 3, 'a missing member is added');
    for (const known of ['/metadata/labels', '/spec/sides/1', '/other/size']) {
      assert.equal((await replace(known)).status, 422, known);
    }
    const lease = [{ op: 'replace', path: '/spec/other', value: 1 }];
    assert.equal((await patched(plinth, `${LEASES}/a`, JSON_PATCH, lease)).status, 200);
  });

  it('have as many fields as a request may have', async () => {
    const many = Object.fromEntries(Array.from({ length: 100_001 }, (_, i) => [`k${i}`, 1]));
    assert.equal((await merge({ spec: many })).status, 400);
    const body = { apiVersion: 'test.example.com/v1', kind: 'Gadget', metadata: { name: 'm' } };
    assert.equal((await plinth.send('POST', gadgets, { ...body, spec: many })).status, 400);
    const lines = Object.keys(many).map((key) => `  ${key}: 1`);
    const yaml = `apiVersion: test.example.com/v1\nkind: Gadget\nspec:\n${lines.join('\n')}\n`;
    const headers = { 'content-type': 'application/yaml' };
    assert.equal((await plinth.send('POST', gadgets, yaml, headers)).status, 400);
  });
});
