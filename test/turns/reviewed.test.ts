import assert from 'node:assert/strict';
import { AuditLog } from '../audit/audit-log.ts';
import { AdmissionWebhooks, Registrations } from '../support/admission-webhook.ts';
import { Plinth } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

/*
 * A large object that webhooks are shown, and that the audit log keeps with the
 * answer, is written for each of them without holding the event loop.
 */
const MAPS = '/api/v1/namespaces/default/configmaps';
const RULE = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
};
const keys = (value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 45_000 }, (_, i) => [`k${i}`, value]));

describe('turns of the event loop for large objects', () => {
  const turns = new Turns();
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  let log: AuditLog;
  const made = new Registrations(() => plinth);

  before(async () => {
    webhooks = await AdmissionWebhooks.start();
    log = new AuditLog([{ level: 'RequestResponse', resources: [{ group: '' }] }]);
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs, args: log.args });
  });
  after(async () => {
    await plinth.dispose();
    await webhooks.close();
    log.dispose();
  });

  const put = (name: string, value: string) =>
    plinth.send('PUT', `${MAPS}/${name}`, { metadata: { name }, data: keys(value) });
  const create = (name: string) =>
    plinth.send('POST', MAPS, { metadata: { name }, data: keys('0') });

  it('are short when the audit log keeps request and answer', async () => {
    await turns.areShortFor(201, (i) => create(`audited${i}`));
    const { headers } = await turns.areShortFor(200, (i) => put('audited0', `${i}1`));
    const { requestObject, responseObject } = await log.end(String(headers['audit-id']));
    assert.deepEqual(responseObject.data, requestObject.data);
    assert.equal(Object.keys(requestObject.data).length, 45_000);
  });

  it('are short when many webhooks are asked, and each is shown all of the object', async () => {
    const hooks = Array.from({ length: 16 }, (_, i) => webhooks.hook(`/v${i}`, { rules: [RULE] }));
    await made.webhooks('validating', 'many', ...hooks);
    await made.webhooks('mutating', 'one', webhooks.hook('/m', { rules: [RULE] }));
    await create('shown');
    webhooks.reviews();
    await turns.areShortFor(200, (i) => {
      webhooks.reviews();
      return put('shown', `${i}2`);
    });
    const requests = webhooks.requests();
    assert.equal(requests.length, 17);
    for (const { object, oldObject } of requests) {
      assert.equal(Object.keys(object.data).length, 45_000);
      assert.equal(Object.keys(oldObject.data).length, 45_000);
      assert.notEqual(object.data.k7, oldObject.data.k7);
    }
    await made.clear();
  });

  it('are short when a webhook answers with a patch of megabytes', async () => {
    const text = JSON.stringify([{ op: 'add', path: '/data', value: { a: 'b' } }]);
    const patch = Buffer.from(text.padEnd(2_000_000)).toString('base64');
    webhooks.on('/m', () => ({ allowed: true, patchType: 'JSONPatch', patch }));
    await made.webhooks('mutating', 'long', webhooks.hook('/m', { rules: [RULE] }));
    let count = 0;
    const post = () => plinth.send('POST', MAPS, { metadata: { name: `patched${count++}` } });
    await turns.areShortFor(201, post);
    await made.clear();
  });
});
