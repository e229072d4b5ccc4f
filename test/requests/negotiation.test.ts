import assert from 'node:assert/strict';
import { CRDS, install, MERGE, patched, shownAs } from '../support/custom.ts';
import { Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const lease = (name: string): object => ({ metadata: { name } });

describe('what an answer is to look like', () => {
  let plinth: Plinth;
  let gadgets: string;
  before(async () => {
    plinth = await Plinth.start();
    gadgets = await install(plinth, { plural: 'gadgets', kind: 'Gadget' });
  });
  after(() => plinth.dispose());

  const gadget = (name: string): object => ({
    apiVersion: 'test.example.com/v1',
    kind: 'Gadget',
    metadata: { name },
  });

  it('is decided first: nothing is written when the answer could not be shown', async () => {
    for (const accept of ['text/html', shownAs('PartialObjectMetadataList').accept!]) {
      const headers = { accept };
      assert.equal((await plinth.send('POST', LEASES, lease('a'), headers)).status, 406);
      assert.equal((await plinth.get(`${LEASES}/a`)).status, 404);
      assert.equal((await plinth.send('POST', gadgets, gadget('a'), headers)).status, 406);
      assert.equal((await plinth.get(`${gadgets}/a`)).status, 404);
    }
    assert.equal((await plinth.send('POST', LEASES, lease('b'))).status, 201);
    const headers = { accept: 'text/html' };
    const labels = { metadata: { labels: { a: 'b' } } };
    assert.equal((await patched(plinth, `${LEASES}/b`, MERGE, labels, headers)).status, 406);
    assert.equal((await plinth.send('DELETE', `${LEASES}/b`, undefined, headers)).status, 406);
    assert.equal((await plinth.send('DELETE', LEASES, undefined, headers)).status, 406);
    assert.equal((await plinth.get(`${LEASES}/b`)).json.metadata.labels, undefined);
  });

  it('comes before whether there is something to answer', async () => {
    for (const path of [`${gadgets}/nope`, `${LEASES}/nope`]) {
      assert.equal((await plinth.get(path, { accept: 'text/yaml' })).status, 406);
      assert.equal((await plinth.get(path, { accept: 'application/yaml' })).status, 404);
    }
    assert.equal((await plinth.get(`${LEASES}?watch=1`, { accept: 'image/png' })).status, 406);
  });

  it('paths of built-in kinds know their methods, those of custom resources their verbs', async () => {
    assert.equal((await plinth.send('HEAD', CRDS)).status, 405);
    assert.equal((await plinth.send('HEAD', `${LEASES}/nope`)).status, 405);
    assert.equal((await plinth.send('HEAD', gadgets)).status, 200);
    assert.equal((await plinth.send('HEAD', `${gadgets}/nope`)).status, 404);
    assert.equal((await plinth.send('POST', `${LEASES}/c`, lease('c'))).status, 405);
    assert.equal((await plinth.send('PUT', LEASES, lease('c'))).status, 405);
    assert.equal((await plinth.send('POST', `${gadgets}/c`, gadget('c'))).status, 201);
    assert.equal((await plinth.send('POST', `${gadgets}/c`, gadget('c'))).status, 409);
    for (const method of ['PUT', 'PATCH']) {
      const { status, json } = await plinth.send(method, gadgets, gadget('c'), {
        'content-type': method === 'PUT' ? 'application/json' : MERGE,
      });
      assert.deepEqual([status, json.message], [400, 'name must be provided']);
    }
    const unknown = await plinth.send('OPTIONS', gadgets);
    assert.deepEqual(
      [unknown.status, unknown.json.details],
      [405, { group: 'test.example.com', kind: 'gadgets' }],
    );
  });

  it('shows objects in the cells of a table as JSON that HTML may hold', async () => {
    const cards = await install(plinth, {
      plural: 'cards',
      kind: 'Card',
      version: {
        additionalPrinterColumns: [{ name: 'Link', type: 'string', jsonPath: '.spec.link' }],
      },
    });
    const card = { ...gadget('a'), kind: 'Card', spec: { link: { href: '?a=1&b=<2>' } } };
    const made = await plinth.send('POST', cards, card);
    assert.equal(made.status, 201, made.text);
    const { json } = await plinth.get(`${cards}/a`, shownAs('Table'));
    assert.deepEqual(json.rows[0].cells, ['a', '{"href":"?a=1\\u0026b=\\u003c2\\u003e"}']);
  });
});
