import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  AdmissionWebhooks,
  lease,
  leasePath,
  registration,
  Registrations,
} from '../support/admission-webhook.ts';
import { TestEtcd } from '../support/etcd.ts';
import { Plinth } from '../support/plinth.ts';
import { requestsUntil } from '../support/requests-until.ts';

const LIMIT = { timeoutMs: 5_000 };
/** Of requests that are sent one after the other: half a second of a machine without other work. */
const MOST_REQUESTS = 200;

describe('webhooks of servers that share a store', () => {
  let etcd: TestEtcd;
  let webhooks: AdmissionWebhooks;
  let one: Plinth;
  let other: Plinth;
  const registrations = new Registrations(() => one);

  before(async () => {
    etcd = await TestEtcd.start();
    webhooks = await AdmissionWebhooks.start();
    const args = ['--etcd-servers', etcd.url];
    one = await Plinth.start({ args });
    other = await Plinth.start({ args });
  });
  after(async () => {
    await one.dispose();
    await other.dispose();
    await webhooks.close();
    await etcd.dispose();
  });
  afterEach(async () => {
    await registrations.clear();
    webhooks.reset();
  });

  /** Writes of the other server are answered so, after few requests. */
  const answers = async (status: number, query = ''): Promise<void> => {
    const path = `${leasePath()}?dryRun=All${query}`;
    const isSo = async (): Promise<boolean> =>
      (await other.send('POST', path, lease())).status === status;
    const requests = await requestsUntil(isSo, `answers with ${status}`);
    assert.ok(requests <= MOST_REQUESTS, `${requests} requests`);
  };

  it(`a configuration takes effect, changes and ends within ${MOST_REQUESTS} requests on every server`, async () => {
    webhooks.on('/a', () => ({ allowed: false, status: { code: 418 } }));
    await registrations.webhooks('validating', 'v', webhooks.hook('/a'));
    await answers(418);
    webhooks.on('/b', () => ({ allowed: false, status: { code: 451 } }));
    const { url } = webhooks.client('/b');
    const change = [{ op: 'replace', path: '/webhooks/0/clientConfig/url', value: url }];
    const path = `${registration('validatingwebhookconfigurations')}/v`;
    const type = { 'content-type': 'application/json-patch+json' };
    assert.equal((await one.send('PATCH', path, change, type)).status, 200);
    await answers(451);
    await registrations.clear();
    await answers(201);
  });

  /** Changes a stored configuration behind the API's back: the API would refuse it. */
  const rewrite = async (from: string, to: string): Promise<void> => {
    const client = etcd.client();
    const prefix = '/registry/admissionregistration.cluster.io/validatingwebhookconfigurations/';
    const key = Buffer.from(`${prefix}v`);
    const { kvs } = await client.call('range', { key }, LIMIT);
    const value = String(kvs[0]!.value);
    assert.ok(value.includes(from), value);
    const put = { key, value: Buffer.from(value.replace(from, to)) };
    await client.call('txn', { conditions: [], success: [{ put }], failure: [] }, LIMIT);
    client.close();
  };

  it('sideEffects Some and Unknown, which older servers stored: a dry run is refused', async () => {
    await registrations.webhooks('validating', 'v', webhooks.hook('/a'));
    await rewrite('"sideEffects":"None"', '"sideEffects":"Some"');
    await answers(400);
    const { json } = await other.send('POST', `${leasePath()}?dryRun=All`, lease());
    assert.match(json.message, /^admission webhook "a.example.com" does not support dry run$/);
    assert.equal((await other.send('POST', leasePath(), lease())).status, 201);
  });

  for (const [failurePolicy, status] of [
    ['Fail', 500],
    ['Ignore', 201],
  ] as const) {
    it(`no version of reviews that is known, which others stored: ${failurePolicy} decides`, async () => {
      webhooks.on('/a', () => ({ allowed: false, status: { code: 418 } }));
      await registrations.webhooks('validating', 'v', webhooks.hook('/a', { failurePolicy }));
      await answers(418);
      await rewrite('"admissionReviewVersions":["v1"]', '"admissionReviewVersions":["v9"]');
      await answers(status);
    });
  }
});
