import assert from 'node:assert/strict';
import { install } from '../support/custom.ts';
import { Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const CLASSES = '/apis/node.cluster.io/v1/runtimeclasses';

describe('creates', () => {
  let plinth: Plinth;
  let gadgets: string;
  before(async () => {
    plinth = await Plinth.start();
    gadgets = await install(plinth, { plural: 'gadgets', kind: 'Gadget' });
  });
  after(() => plinth.dispose());

  const gadget = (metadata: object): object => ({
    apiVersion: 'test.example.com/v1',
    kind: 'Gadget',
    metadata,
  });

  it('keep the generation that a client gives, where the kind counts none', async () => {
    const create = (generation: number): ReturnType<Plinth['send']> =>
      plinth.send('POST', LEASES, { metadata: { name: `g${generation}`, generation } });
    assert.equal((await create(7)).json.metadata.generation, 7);
    const refused = await create(-1);
    assert.equal(refused.status, 422, refused.text);
    assert.equal(refused.json.details.causes[0].field, 'metadata.generation');
    const { json } = await plinth.send('POST', gadgets, gadget({ name: 'g', generation: 7 }));
    assert.equal(json.metadata.generation, 1);
  });

  it('are refused for what the object is before they are for its resourceVersion', async () => {
    const create = (metadata: object, query = ''): ReturnType<Plinth['send']> =>
      plinth.send('POST', `${CLASSES}${query}`, {
        metadata: { resourceVersion: '5', ...metadata },
        handler: 'runc',
      });
    assert.equal((await create({ name: 'Upper' })).status, 422);
    assert.equal((await create({ name: 'versioned' })).status, 400);
    assert.equal((await create({ name: 'versioned' }, '?dryRun=All')).status, 201);
    assert.equal((await plinth.get(`${CLASSES}/versioned`)).status, 404);
  });

  it('and updates read a resourceVersion as a number', async () => {
    const { json } = await plinth.send('POST', gadgets, gadget({ name: 'number' }));
    const resourceVersion = `0${json.metadata.resourceVersion}`;
    const body = { ...gadget({ name: 'number', resourceVersion }), spec: { size: 2 } };
    const reply = await plinth.send('PUT', `${gadgets}/number`, body);
    assert.equal(reply.status, 200, reply.text);
  });
});
