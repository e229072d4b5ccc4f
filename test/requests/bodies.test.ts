import assert from 'node:assert/strict';
import { patched, STRATEGIC } from '../support/custom.ts';
import { Plinth, type Reply } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
/** An integer that no float holds. */
const EXACT = '9007199254740993';

describe('bodies of requests for built-in kinds', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
    const made = await plinth.send('POST', LEASES, {
      metadata: { name: 'a', labels: { tier: 'gold' } },
      spec: { holderIdentity: 'x' },
    });
    assert.equal(made.status, 201, made.text);
  });
  after(() => plinth.dispose());

  const post = (body: unknown): Promise<Reply> => plinth.send('POST', LEASES, body);

  it('have an apiVersion and a kind that are texts, or none', async () => {
    for (const meta of [{ apiVersion: 1 }, { kind: 1 }, { kind: {} }, { apiVersion: [] }]) {
      const refused = await post({ ...meta, metadata: { name: 'b' } });
      assert.equal(refused.status, 400, JSON.stringify(meta));
      assert.match(refused.json.message, /(apiVersion|kind) must be a string, not /);
    }
    const made = await post({ apiVersion: null, kind: null, metadata: { name: 'b' } });
    assert.equal(made.status, 201, made.text);
  });

  it('may have unknown fields of any name: the client receives warnings', async () => {
    for (const character of [
      '\u0000',
      '\n',
      '\u007f',
      '\u0080',
      '\u00e9',
      '\u{1f600}',
      '"',
      '\\',
    ]) {
      const code = character.codePointAt(0)?.toString(16);
      const spec = { [`x${character}y`]: 1 };
      const made = await post({ metadata: { name: `named-${code}` }, spec });
      assert.equal(made.status, 201, code);
      assert.match(String(made.headers.warning), /^299 - "unknown field \\"spec\.x.+y\\""$/);
    }
  });

  it('that are null are an object without anything', async () => {
    const refused = await post(null);
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(
      refused.json.details.causes.map(({ reason, field }: any) => `${reason} ${field}`),
      ['FieldValueRequired metadata.name'],
    );
  });

  it('that are null change nothing as a strategic merge patch', async () => {
    const before = await plinth.get(`${LEASES}/a`);
    const reply = await patched(plinth, `${LEASES}/a`, STRATEGIC, 'null');
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(reply.json, before.json);
  });

  it('may hold large integers in unexpected places', async () => {
    const patch = `{"metadata":{"labels":{"$patch":${EXACT}}}}`;
    const patchReply = await patched(plinth, `${LEASES}/a`, STRATEGIC, patch);
    assert.equal(patchReply.status, 400, patchReply.text);
    const deleteReply = await plinth.send('DELETE', `${LEASES}/a`, `{"kind":${EXACT}}`);
    assert.equal(deleteReply.status, 400, deleteReply.text);
  });
});
