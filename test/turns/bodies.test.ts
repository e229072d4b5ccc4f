import assert from 'node:assert/strict';
import { Plinth, type Reply } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

/*
 * No request holds the event loop for long: what is large is read and written
 * over several turns, or refused before it is worked on. Measured by the CPU of
 * the loop's own thread.
 */
const REVIEWS = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const ROLES = '/apis/rbac.authorization.cluster.io/v1/namespaces/default/roles';
const JSON_TYPE = { 'content-type': 'application/json' };
const YAML_TYPE = { 'content-type': 'application/yaml' };
const APPLY_TYPE = { 'content-type': 'application/apply-patch+yaml' };
const MERGE_TYPE = { 'content-type': 'application/merge-patch+json' };

const many = (n: number, item: (i: number) => string, separator = ','): string =>
  Array.from({ length: n }, (_, i) => item(i)).join(separator);

describe('turns of the event loop', () => {
  const turns = new Turns();
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs });
    await plinth.send('POST', LEASES, { metadata: { name: 'target' } });
  });
  after(() => plinth.dispose());

  async function isShort(codes: readonly number[], send: () => Promise<Reply>): Promise<void> {
    let reply: Reply | undefined;
    await turns.areShortDuring(async () => void (reply = await send()));
    assert.ok(codes.includes(reply!.status), `${reply!.status} ${reply!.text.slice(0, 300)}`);
  }
  const review = (body: string, type: Record<string, string>) => () =>
    plinth.send('POST', REVIEWS, body, type);
  const SPEC = '"spec":{"nonResourceAttributes":{"verb":"get"}}';

  it('of a review in JSON with tens of thousands of fields, objects or numbers are short', async () => {
    for (const rest of [
      many(49_000, (i) => `"k${i}":1`),
      `"x":{${many(49_000, (i) => `"k${i % 40_000}":1`)}}`,
      `"x":[${many(49_000, () => '{"a":1}')}]`,
      `"x":[${many(100_000, () => '1234567890123456789')}]`,
    ]) {
      await isShort([201], review(`{${SPEC},${rest}}`, JSON_TYPE));
    }
  });

  it('of a review in YAML are short, whatever a megabyte of it holds', async () => {
    for (const rest of [
      `x: {${many(49_000, (i) => `k${i}: 1`)}}`,
      many(49_000, (i) => `k${i}: 1`, '\n'),
      `x: [${many(90_000, () => '!!str a')}]`,
      `x: "${'\\u263a'.repeat(170_000)}"`,
      `x:\n${many(90_000, () => '- |\n  a', '\n')}`,
    ]) {
      const spec = 'spec: {nonResourceAttributes: {verb: get}}';
      await isShort([201], review(`${spec}\n${rest}\n`, YAML_TYPE));
    }
  });

  it('of eight YAML bodies that are sent together are short', async () => {
    const body = `{spec: {nonResourceAttributes: {verb: get}}, x: {${many(49_000, (i) => `k${i}: 1`)}}}`;
    await isShort([201], async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, review(body, YAML_TYPE)));
      return replies[0]!;
    });
  });

  it('of the options of a delete are short', async () => {
    const options = `{${many(49_000, (i) => `k${i}: 1`)}}`;
    await isShort([404], () => plinth.send('DELETE', `${LEASES}/none`, options, YAML_TYPE));
  });

  it('of metadata with more entries than an object may have are short', async () => {
    const labels = `{"metadata":{"name":"target","labels":{${many(20_000, (i) => `"k${i}":"x"`)}}}}`;
    const apply = `${LEASES}/target?fieldManager=m`;
    const whole = labels.replace('{', '{"apiVersion":"coordination.cluster.io/v1","kind":"Lease",');
    await isShort([422], () => plinth.send('POST', LEASES, labels));
    await isShort([422], () => plinth.send('PATCH', apply, whole, APPLY_TYPE));
    const owners = many(9_000, (i) => `{"apiVersion":"v1","kind":"A","name":"b","uid":"${i}"}`);
    for (const metadata of [
      `{"name":"new","finalizers":[${many(49_000, (i) => `"a/f${i}"`)}]}`,
      `{"name":"new","ownerReferences":[${owners}]}`,
      `{"name":"new","annotations":{${many(20_000, (i) => `"k${i}":""`)}}}`,
    ]) {
      await isShort([422], () => plinth.send('POST', LEASES, `{"metadata":${metadata}}`));
    }
  });
});

describe('metadata with very many entries', () => {
  let plinth: Plinth;
  before(async () => (plinth = await Plinth.start()));
  after(() => plinth.dispose());

  it('is refused with its field and the most that there may be', async () => {
    const labels = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`k${i}`, '']));
    const { status, json } = await plinth.send('POST', LEASES, {
      metadata: { name: 'new', labels },
    });
    assert.equal(status, 422);
    assert.deepEqual(json.details.causes, [
      {
        reason: 'FieldValueTooMany',
        message: 'Too many: 1001: must have at most 1000 items',
        field: 'metadata.labels',
      },
    ]);
    delete labels.k0;
    assert.equal(
      (await plinth.send('POST', LEASES, { metadata: { name: 'new', labels } })).status,
      201,
    );
    const patch = { metadata: { labels: { more: '', evenMore: '' } } };
    const refused = await plinth.send('PATCH', `${LEASES}/new`, patch, MERGE_TYPE);
    assert.equal(refused.status, 422);
  });

  it('leaves room for roles of many rules', async () => {
    const rules = Array.from({ length: 9_000 }, (_, i) => ({
      apiGroups: ['a'],
      resources: [`r${i}`],
      verbs: ['get'],
    }));
    const { status } = await plinth.send('POST', ROLES, { metadata: { name: 'large' }, rules });
    assert.equal(status, 201);
  });
});
