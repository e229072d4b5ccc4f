import assert from 'node:assert/strict';
import { AdmissionWebhooks, Registrations } from '../support/admission-webhook.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { validatingPolicy } from '../support/policies.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const RULE = {
  operations: ['CREATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['serviceaccounts/token'],
};

describe('admission of requests for tokens', function () {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  const registrations = new Registrations(() => plinth);
  before(async () => {
    plinth = await Plinth.start();
    webhooks = await AdmissionWebhooks.start();
    const { status, text } = await plinth.send('POST', ACCOUNTS, { metadata: { name: 'robot' } });
    assert.equal(status, 201, text);
  });
  after(async () => {
    await plinth.dispose();
    await webhooks.close();
  });
  afterEach(() => registrations.clear());

  const ask = (seconds: number, query = ''): Promise<Reply> =>
    plinth.send('POST', `${ACCOUNTS}/robot/token${query}`, {
      spec: { audiences: ['vault'], expirationSeconds: seconds },
    });

  it('a webhook sees the request below its account, without a token, and may refuse it', async () => {
    webhooks.on('/refuses', () => ({
      allowed: false,
      status: { message: 'no tokens here', code: 403 },
    }));
    const hook = webhooks.hook('/refuses', { rules: [RULE] });
    await registrations.webhooks('validating', 'refuses', hook);
    const { status, text } = await ask(600);
    assert.equal(status, 403, text);
    assert.match(text, /no tokens here/);
    const request = webhooks.requests('/refuses').at(-1);
    assert.deepEqual(request.resource, { group: '', version: 'v1', resource: 'serviceaccounts' });
    assert.equal(request.subResource, 'token');
    assert.equal(request.kind.kind, 'TokenRequest');
    assert.equal(request.name, 'robot');
    assert.equal(request.operation, 'CREATE');
    assert.equal(request.object.spec.expirationSeconds, 600);
    assert.equal(request.object.status?.token ?? '', '');
    assert.equal((await ask(600, '?dryRun=All')).status, 403);
  });

  it('a webhook may change what is asked for', async () => {
    webhooks.on('/shortens', () => ({
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(
        JSON.stringify([{ op: 'replace', path: '/spec/expirationSeconds', value: 900 }]),
      ).toString('base64'),
    }));
    const hook = webhooks.hook('/shortens', { rules: [RULE] });
    await registrations.webhooks('mutating', 'shortens', hook);
    const { status, json, text } = await ask(3600);
    assert.equal(status, 201, text);
    assert.equal(json.spec.expirationSeconds, 900);
  });

  it('a policy judges it', async () => {
    await validatingPolicy(registrations, 'short', {
      matchConstraints: { resourceRules: [RULE] },
      validations: [
        { expression: "object.spec.expirationSeconds <= 600 && 'vault' in object.spec.audiences" },
      ],
    });
    assert.equal((await ask(600)).status, 201);
    const { status, text } = await ask(601);
    assert.equal(status, 422, text);
    assert.match(text, /failed expression/);
  });
});
