import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  AdmissionWebhooks,
  lease,
  leasePath,
  patchWith,
  Registrations,
} from '../support/admission-webhook.ts';
import { Http2Client } from '../support/http2-client.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { validatingPolicy } from '../support/policies.ts';

/** Classes of public vulnerabilities (docs/security.md) of admission. */
describe('attacks on admission', () => {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  const registrations = new Registrations(() => plinth);
  before(async () => {
    plinth = await Plinth.start({ args: ['--log-level', 'trace'] });
    webhooks = await AdmissionWebhooks.start();
  });
  after(async () => {
    await plinth.dispose();
    await webhooks.close();
  });
  afterEach(async () => {
    await registrations.clear();
    webhooks.reset();
  });

  const patch = (path: string, type: string, body: unknown): Promise<Reply> =>
    plinth.send('PATCH', path, body, { 'content-type': `application/${type}` });

  it('CVE-2020-8561: redirects of a webhook are not followed, and its responses are not logged', async () => {
    for (const code of [301, 302, 307, 308]) {
      webhooks.raw('/leads', (response) => {
        response.writeHead(code, { location: webhooks.client('/inside').url });
        response.end('SECRET-of-a-redirect');
      });
      await registrations.webhooks('validating', 'leads', webhooks.hook('/leads'));
      const reply = await plinth.send('POST', leasePath(), lease());
      assert.equal(reply.status, 500);
      assert.doesNotMatch(reply.text, /SECRET/);
      await registrations.clear();
    }
    for (const status of [200, 400, 500]) {
      webhooks.raw('/says', (response) => response.writeHead(status).end('SECRET-of-an-answer'));
      await registrations.webhooks('validating', 'says', webhooks.hook('/says'));
      const reply = await plinth.send('POST', leasePath(), lease());
      assert.equal(reply.status, 500);
      assert.doesNotMatch(reply.text, /SECRET/);
      await registrations.clear();
    }
    assert.equal(webhooks.requests('/inside').length, 0);
    assert.match(plinth.output, /leases/, 'requests are logged');
    assert.doesNotMatch(plinth.output, /SECRET/);
  });

  it('a refusal of a webhook arrives over HTTP/2, whatever its code', async () => {
    const client = await Http2Client.open(plinth);
    for (const code of [99, 101, 204, 600, 999, 1000]) {
      webhooks.on('/code', () => ({ allowed: false, status: { code, message: 'a\r\nb' } }));
      await registrations.webhooks('validating', 'code', webhooks.hook('/code'));
      const body = JSON.stringify(lease());
      const { status } = await client.send('POST', leasePath(), body);
      assert.equal(status, 400, String(code));
      await registrations.clear();
    }
    client.session.close();
  });

  it('CVE-2020-8562: cloud metadata addresses are refused under every name', async () => {
    for (const host of [
      ...['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]'],
      ...['0xa9.0xfe.0xa9.0xfe', '2852039166', '169.254.43518'],
      ...['[fd00:ec2::254]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::1]'],
      ...['100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ]) {
      const hook = { ...webhooks.hook('/a'), clientConfig: { url: `https://${host}/latest` } };
      await registrations.webhooks('validating', 'cloud', hook);
      const { status, json } = await plinth.send('POST', leasePath(), lease());
      assert.equal(status, 500, host);
      assert.match(json.message, /link-local and cloud metadata addresses are refused/, host);
      await registrations.clear();
    }
  });

  it('CVE-2021-25735: oldObject is the stored object, whatever webhooks change', async () => {
    const { json: stored } = await plinth.send(
      'POST',
      leasePath(),
      lease({ name: 'old', labels: { a: 'stored' } }, { holderIdentity: 'stored' }),
    );
    webhooks.on('/changes', () =>
      patchWith(
        { op: 'replace', path: '/metadata/labels/a', value: 'webhook' },
        { op: 'replace', path: '/spec/holderIdentity', value: 'webhook' },
      ),
    );
    await registrations.webhooks(
      'mutating',
      'm',
      webhooks.hook('/changes'),
      webhooks.hook('/then'),
    );
    await registrations.webhooks('validating', 'v', webhooks.hook('/sees'));
    await validatingPolicy(registrations, 'p', {
      validations: [
        {
          expression:
            "oldObject.metadata.labels.a == 'stored' && object.metadata.labels.a == 'webhook'",
        },
      ],
    });
    const sent = { ...stored, metadata: { ...stored.metadata, labels: { a: 'client' } } };
    const reply = await plinth.send('PUT', `${leasePath('old')}?dryRun=All`, sent);
    assert.equal(reply.status, 200, reply.text);
    const requests = webhooks.requests();
    assert.equal(requests.length, 3);
    for (const { oldObject } of requests) assert.deepEqual(oldObject, stored);
    assert.equal(requests[2].object.metadata.labels.a, 'webhook');
  });

  it('CVE-2016-1905: every way to write stores the object that was admitted', async () => {
    await plinth.send('POST', leasePath(), lease({ name: 'target' }, { holderIdentity: 'good' }));
    const { json: target } = await plinth.get(leasePath('target'));
    await validatingPolicy(registrations, 'p', {
      validations: [{ expression: "object.spec.?holderIdentity.orValue('') != 'evil'" }],
    });
    const evil = { spec: { holderIdentity: 'evil' } };
    const applied = (name: string): unknown => ({ ...lease({ name }), ...evil });
    const ways: [string, (query: string) => Promise<Reply>][] = [
      ['POST', (q) => plinth.send('POST', leasePath() + q, lease({ name: 'new' }, evil.spec))],
      [
        'POST with generateName',
        (q) =>
          plinth.send('POST', leasePath() + q, {
            ...lease({}, evil.spec),
            metadata: { generateName: 'new-' },
          }),
      ],
      ['PUT', (q) => plinth.send('PUT', leasePath('target') + q, { ...target, ...evil })],
      ['PUT of what is not there', (q) => plinth.send('PUT', leasePath('new') + q, applied('new'))],
      ['merge patch', (q) => patch(leasePath('target') + q, 'merge-patch+json', evil)],
      [
        'strategic merge patch',
        (q) => patch(leasePath('target') + q, 'strategic-merge-patch+json', evil),
      ],
      [
        'JSON patch',
        (q) =>
          patch(leasePath('target') + q, 'json-patch+json', [
            { op: 'replace', path: '/spec/holderIdentity', value: 'evil' },
          ]),
      ],
      [
        'JSON patch by copying',
        (q) =>
          patch(leasePath('target') + q, 'json-patch+json', [
            { op: 'add', path: '/metadata/annotations', value: { a: 'evil' } },
            { op: 'copy', from: '/metadata/annotations/a', path: '/spec/holderIdentity' },
          ]),
      ],
      [
        'apply',
        (q) =>
          patch(
            `${leasePath('target')}?fieldManager=m&force=true${q.replace('?', '&')}`,
            'apply-patch+yaml',
            applied('target'),
          ),
      ],
      [
        'apply of what is not there',
        (q) =>
          patch(
            `${leasePath('new')}?fieldManager=m${q.replace('?', '&')}`,
            'apply-patch+yaml',
            applied('new'),
          ),
      ],
    ];
    for (const [what, write] of ways) {
      for (const query of ['', '?dryRun=All']) {
        const reply = await write(query);
        assert.equal(reply.status, 422, `${what}${query}: ${reply.text}`);
        assert.match(reply.json.message, /policy 'p'.* denied|Policy 'p'.* denied/i, what);
      }
    }
    const { json } = await plinth.get(leasePath());
    assert.ok(!JSON.stringify(json).includes('evil'));
  });
});
