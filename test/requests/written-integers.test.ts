import assert from 'node:assert/strict';
import { APPLY, install, MERGE, patched } from '../support/custom.ts';
import { Plinth, type Reply } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const STRATEGIC = 'application/strategic-merge-patch+json';

/** `10.0` and `1e1`: numbers of whole value that are not written as integers. */
describe('integers with a fraction or an exponent', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
    const lease = { metadata: { name: 'a' }, spec: { leaseDurationSeconds: 5 } };
    assert.equal((await plinth.send('POST', LEASES, lease)).status, 201);
  });
  after(() => plinth.dispose());

  const spec = (seconds: string): string =>
    `{"metadata":{"name":"a"},"spec":{"leaseDurationSeconds":${seconds}}}`;
  const sent = (method: string, path: string, text: string, type: string): Promise<Reply> =>
    plinth.send(method, path, Buffer.from(text), { 'content-type': type });

  it('are refused in JSON of a built-in kind, as Go reads it', async () => {
    for (const seconds of ['10.0', '1e1', '-0.0']) {
      const [post, put, merge] = [
        await sent('POST', LEASES, spec(seconds), 'application/json'),
        await sent('PUT', `${LEASES}/a`, spec(seconds), 'application/json'),
        await sent('PATCH', `${LEASES}/a`, spec(seconds), MERGE),
      ];
      assert.deepEqual([post.status, put.status, merge.status], [400, 400, 422]);
      const why = `spec.leaseDurationSeconds: must be a 32-bit integer, not ${seconds}`;
      for (const { text } of [post, put, merge]) assert.ok(text.includes(why), text);
    }
  });

  it('are refused in a large body, and in the items of a list', async () => {
    const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, '']));
    const text = JSON.stringify({
      metadata: { name: 'n', annotations: data },
      spec: { taints: [] },
      status: {
        images: [
          { names: ['a'], sizeBytes: 1 },
          { names: ['b'], sizeBytes: 2 },
        ],
      },
    }).replace('"sizeBytes":2', '"sizeBytes":2.0');
    const reply = await sent('POST', '/api/v1/nodes', text, 'application/json');
    assert.equal(reply.status, 400, reply.text.slice(0, 300));
    assert.match(reply.text, /status\.images\[1\]\.sizeBytes: must be a 64-bit integer, not 2\.0/);
  });

  it('are integers in YAML, in patches that merge values, and for a number', async () => {
    const yaml = 'metadata: {name: b}\nspec: {leaseDurationSeconds: 10.0}';
    const made = await sent('POST', LEASES, yaml, 'application/yaml');
    assert.equal(made.status, 201, made.text);
    const strategic = await sent(
      'PATCH',
      `${LEASES}/b`,
      spec('11.0').replace('"a"', '"b"'),
      STRATEGIC,
    );
    assert.equal(strategic.status, 200, strategic.text);
    const type = '"apiVersion":"coordination.cluster.io/v1","kind":"Lease"';
    const applied = await sent(
      'PATCH',
      `${LEASES}/c?fieldManager=me`,
      spec('1.2e1').replace('"a"', '"c"').replace('{', `{${type},`),
      APPLY,
    );
    assert.equal(applied.status, 201, applied.text);
    const seconds = [made, strategic, applied].map(({ json }) => json.spec.leaseDurationSeconds);
    assert.deepEqual(seconds, [10, 11, 12]);
  });

  it('are integers of a custom resource, as recorded', async () => {
    const properties = {
      spec: { type: 'object', properties: { n: { type: 'integer' }, f: { type: 'number' } } },
    };
    const schema = { type: 'object', properties };
    const things = await install(plinth, { plural: 'things', kind: 'Thing', schema });
    const text = '"apiVersion":"test.example.com/v1","kind":"Thing","metadata":{"name":"a"}';
    const made = await sent(
      'POST',
      things,
      `{${text},"spec":{"n":10.0,"f":1.0}}`,
      'application/json',
    );
    assert.deepEqual([made.status, made.json.spec], [201, { f: 1, n: 10 }], made.text);
    const changed = await patched(plinth, `${things}/a`, MERGE, { spec: { n: 11 } });
    assert.equal(changed.status, 200, changed.text);
  });
});
