import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { Plinth } from '../support/plinth.ts';

const EVENTS = '/apis/events.cluster.io/v1/namespaces/default/events';

describe('what kubectl lists in the core group whatever discovery says', function () {
  this.timeout(60_000);
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
    const leases = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
    await plinth.send('POST', '/api/v1/nodes', { metadata: { name: 'worker' } });
    const { json: lease } = await plinth.send('POST', leases, { metadata: { name: 'told-of' } });
    for (const [name, regarding] of [
      ['first', { kind: 'Lease', namespace: 'default', name: 'told-of', uid: lease.metadata.uid }],
      ['second', { kind: 'Lease', namespace: 'default', name: 'another' }],
    ] as const) {
      const { status, text } = await plinth.send('POST', EVENTS, {
        metadata: { name },
        eventTime: new Date().toISOString().replace('Z', '000Z'),
        reportingController: 'example.com/controller',
        reportingInstance: 'controller-0',
        action: 'Elect',
        reason: 'Elected',
        type: 'Normal',
        note: `this is the ${name} one`,
        regarding: { apiVersion: 'coordination.cluster.io/v1', ...regarding },
      });
      assert.equal(status, 201, text);
    }
  });
  after(() => plinth.dispose());

  function kubectl(...args: string[]): string {
    const run = spawnSync('kubectl', ['--kubeconfig', plinth.kubeconfig, ...args], {
      encoding: 'utf8',
    });
    assert.equal(run.status, 0, run.stderr);
    return run.stdout;
  }

  it('kubectl events shows events with what they are about', () => {
    assert.match(kubectl('events'), /Normal +Elected +Lease\/told-of +this is the first one/);
    const about = kubectl('events', '--for', 'Lease/another');
    assert.match(about, /second one/);
    assert.doesNotMatch(about, /first one/);
  });

  it('kubectl describe ends with the events of the object', () => {
    const text = kubectl('describe', 'lease', 'told-of');
    assert.match(text, /Elected .* this is the first one/);
    assert.doesNotMatch(text, /second one/);
  });

  it('kubectl describe node shows an empty list of pods', () => {
    assert.match(kubectl('describe', 'node', 'worker'), /Non-terminated Pods: +\(0 in total\)/);
  });

  it('the lists are real: pages, selectors, errors, and nothing to write', async () => {
    const page = (await plinth.get('/api/v1/events?limit=1')).json;
    assert.equal(page.kind, 'EventList');
    assert.equal(page.apiVersion, 'v1');
    assert.equal(page.items.length, 1);
    assert.equal(page.metadata.remainingItemCount, 1);
    const [event] = page.items;
    assert.deepEqual(
      [event.message, event.involvedObject.name, event.reportingComponent, event.regarding],
      ['this is the first one', 'told-of', 'example.com/controller', undefined],
    );
    const unknown = await plinth.get('/api/v1/events?fieldSelector=regarding.name%3Dx');
    assert.equal(unknown.status, 400);
    assert.equal((await plinth.send('POST', '/api/v1/namespaces/default/events', {})).status, 405);
    assert.equal((await plinth.get('/api/v1/namespaces/default/pods/x')).status, 404);
    const { json: core } = await plinth.get('/api/v1');
    const names = core.resources.map(({ name }: any) => name);
    assert.ok(!names.includes('events') && !names.includes('pods'), names.join());
  });
});
