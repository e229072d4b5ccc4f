import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  AdmissionWebhooks,
  lease,
  leasePath,
  Registrations,
} from '../support/admission-webhook.ts';
import { CRDS, crd } from '../support/custom.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { validatingPolicy } from '../support/policies.ts';

const EVENTS = '/apis/events.cluster.io/v1/namespaces/default/events';

describe('Events by the server', () => {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  const registrations = new Registrations(() => plinth);
  const about = async (name: string, path = EVENTS, field = 'regarding'): Promise<any[]> => {
    const { json } = await plinth.get(`${path}?fieldSelector=${field}.name%3D${name}`);
    return json.items;
  };

  before(async () => {
    plinth = await Plinth.start();
    webhooks = await AdmissionWebhooks.start();
  });
  after(async () => {
    await registrations.clear();
    await plinth.dispose();
    await webhooks.close();
  });

  it('a name that another definition has: kubectl finds the Event in the core group, too', async () => {
    await plinth.send('POST', CRDS, crd({ plural: 'widgets', kind: 'Widget' }));
    await plinth.send('POST', CRDS, crd({ plural: 'gadgets', kind: 'Widget' }));
    const name = 'gadgets.test.example.com';
    await eventually(async () => (await about(name)).length > 0, 'the Event');
    const [event] = await about(name);
    assert.deepEqual([event.type, event.reason], ['Warning', 'ListKindConflict']);
    assert.equal(event.regarding.uid, (await plinth.get(`${CRDS}/${name}`)).json.metadata.uid);
    const core = await about(name, '/api/v1/namespaces/default/events', 'involvedObject');
    assert.equal(core[0].message, event.note);
  });

  it('a webhook that fails has one Event, also when it is asked about Events', async () => {
    webhooks.raw('/down', (response) => response.destroy());
    const all = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] };
    const hook = webhooks.hook('/down', { failurePolicy: 'Ignore', rules: [all] });
    await registrations.webhooks('validating', 'down', hook);
    for (let i = 0; i < 20; i++) await plinth.send('POST', leasePath(), lease());
    await eventually(async () => (await about('down')).length > 0, 'the Event');
    const [event, ...others] = await about('down');
    assert.deepEqual(others, []);
    assert.equal(event.reason, 'WebhookFailed');
    assert.match(event.note, /"down\.example\.com".*ignored/);
    await registrations.clear();
  });

  it('a policy that fails: the Event holds nothing of the object', async () => {
    const expression = 'int(object.spec.holderIdentity) > 0';
    await validatingPolicy(registrations, 'broken', {
      failurePolicy: 'Ignore',
      validations: [{ expression }],
    });
    const secret = lease({}, { holderIdentity: 'a-secret' });
    assert.equal((await plinth.send('POST', leasePath(), secret)).status, 201);
    await eventually(async () => (await about('broken')).length > 0, 'the Event');
    const [event] = await about('broken');
    assert.deepEqual(
      [event.reason, event.regarding.kind],
      ['PolicyFailed', 'ValidatingAdmissionPolicy'],
    );
    assert.match(event.note, /spec\.validations\[0\]\.expression/);
    assert.ok(!JSON.stringify(event).includes('a-secret'));
    await registrations.clear();
  });
});
