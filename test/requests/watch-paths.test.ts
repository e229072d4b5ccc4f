import assert from 'node:assert/strict';
import { install } from '../support/custom.ts';
import { eventually, Plinth } from '../support/plinth.ts';

describe('the paths of watches', () => {
  let plinth: Plinth;
  let gadgets: string;
  before(async () => {
    plinth = await Plinth.start();
    gadgets = await install(plinth, { plural: 'gadgets', kind: 'Gadget' });
    const body = {
      apiVersion: 'test.example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'a' },
    };
    assert.equal((await plinth.send('POST', gadgets, body)).status, 201);
  });
  after(() => plinth.dispose());

  it('of built-in kinds take no other method, and change nothing', async () => {
    const path = '/api/v1/watch/namespaces/default';
    for (const method of ['DELETE', 'PUT', 'PATCH', 'POST']) {
      const reply = await plinth.send(method, path, {});
      assert.equal(reply.status, 405, method);
      assert.equal(reply.json.reason, 'MethodNotAllowed');
    }
    assert.equal((await plinth.send('POST', '/api/v1/watch/namespaces', {})).status, 405);
    const { json } = await plinth.get('/api/v1/namespaces/default');
    assert.equal(json.status.phase, 'Active');
  });

  it('of custom resources are watches whatever the method', async () => {
    const path = gadgets.replace('/v1/', '/v1/watch/');
    for (const method of ['DELETE', 'POST']) {
      const reply = await plinth.send(method, `${path}/a?timeoutSeconds=1`);
      assert.equal(reply.status, 200, method);
      assert.equal(JSON.parse(reply.text.split('\n')[0] ?? '').type, 'ADDED');
    }
    assert.equal((await plinth.get(`${gadgets}/a`)).status, 200);
  });

  it('are there for what can be watched only', async () => {
    for (const path of [
      '/api/v1/watch/namespaces/default/status',
      '/api/v1/watch/componentstatuses',
      '/apis/coordination.cluster.io/v1/watch/leases/a',
    ]) {
      assert.equal((await plinth.get(`${path}?timeoutSeconds=1`)).status, 404, path);
    }
    const path = '/api/v1/componentstatuses?watch=1';
    assert.equal((await plinth.get(path)).status, 405);
  });

  it('a stream of a state that is not there in time says so itself', async () => {
    const frames: any[] = [];
    const query = [
      'watch=1&sendInitialEvents=true&allowWatchBookmarks=true',
      'resourceVersionMatch=NotOlderThan&resourceVersion=999999999',
    ].join('&');
    const stream = await plinth.watch(`${gadgets}?${query}`, (frame) => frames.push(frame));
    await eventually(() => frames.length > 0, 'a frame');
    stream.close();
    const [{ type, object }] = frames;
    assert.equal(type, 'ERROR');
    assert.equal(object.code, 504);
    assert.equal(object.reason, 'Timeout');
    assert.equal(object.details.causes[0].reason, 'ResourceVersionTooLarge');
    assert.equal(frames.length, 1);
  });
});
