import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { makeAuthority } from '../../access/pki/certificates.ts';
import {
  AdmissionWebhooks,
  lease,
  leasePath,
  patchWith,
  Registrations,
  type Half,
} from '../support/admission-webhook.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { answerJson } from '../support/tls-server.ts';

describe('failing webhooks', () => {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  const registrations = new Registrations(() => plinth);
  const create = (): Promise<Reply> => plinth.send('POST', leasePath(), lease());

  before(async () => {
    plinth = await Plinth.start();
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

  /** What is wrong, and what clients are told of it. */
  const FAULTS: Record<
    string,
    [prepare: () => object | Promise<object>, told: RegExp, half?: Half]
  > = {
    hanging: [
      () => {
        webhooks.on('/a', () => undefined);
        return { timeoutSeconds: 1 };
      },
      /failed to call webhook: Post .*: context deadline exceeded$/,
    ],
    'slow beyond its time': [
      () => {
        webhooks.on('/a', async () => {
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          return { allowed: true };
        });
        return { timeoutSeconds: 1 };
      },
      /context deadline exceeded$/,
    ],
    'slow in the middle of its answer': [
      () => {
        webhooks.raw('/a', (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"apiVersion":');
        });
        return { timeoutSeconds: 1 };
      },
      /context deadline exceeded$/,
    ],
    'answering another uid': [
      () => {
        webhooks.on('/a', () => ({ uid: 'another', allowed: true }));
        return {};
      },
      /received invalid webhook response: expected response.uid="[0-9a-f-]{36}", got "another"$/,
    ],
    'answering another type': [
      () => {
        webhooks.raw('/a', (response, { request }) => {
          const answer = { uid: request.uid, allowed: true };
          answerJson(response, { apiVersion: 'v1', kind: 'Pod', response: answer });
        });
        return {};
      },
      /received invalid webhook response: expected webhook response of admission.cluster.io\/v1, Kind=AdmissionReview, got v1, Kind=Pod$/,
    ],
    'answering without a response': [
      () => {
        webhooks.raw('/a', (response, { apiVersion, kind }) =>
          answerJson(response, { apiVersion, kind }),
        );
        return {};
      },
      /webhook response was absent$/,
    ],
    'answering with invalid JSON': [
      () => {
        webhooks.raw('/a', (response) => response.end('<html>secret</html>'));
        return {};
      },
      /failed to call webhook: (?!.*secret)/,
    ],
    'answering more than it may': [
      () => {
        webhooks.on('/a', () => ({ allowed: true, padding: 'x'.repeat(4 << 20) }));
        return {};
      },
      /the response is longer than 3145728 bytes$/,
    ],
    redirecting: [
      () => {
        webhooks.raw('/a', (response) => {
          response.writeHead(307, { location: webhooks.server.url + '/b' });
          response.end();
        });
        return {};
      },
      /redirects are not followed$/,
    ],
    'failing itself': [
      () => {
        webhooks.raw('/a', (response) => answerJson(response, { error: 'secret' }, 500));
        return {};
      },
      /the webhook responded with status 500 \(Internal Server Error\)$/,
    ],
    'hanging up': [
      () => {
        webhooks.raw('/a', (response) => response.destroy());
        return {};
      },
      /failed to call webhook: Post .*: the connection was closed before there was an answer$/,
    ],
    'not there': [
      () => ({ clientConfig: { ...webhooks.client('/a'), url: 'https://127.0.0.1:1/a' } }),
      /: connection refused by \S+ port \d+$/,
    ],
    'showing a certificate of an unknown authority': [
      async () => {
        const other = await makeAuthority('another', Date.now());
        const caBundle = Buffer.from(other.certificate).toString('base64');
        return { clientConfig: { ...webhooks.client('/a'), caBundle } };
      },
      /certificate/,
    ],
    'verified by the authorities of the system, which do not know it': [
      () => ({ clientConfig: { url: webhooks.client('/a').url } }),
      /certificate/,
    ],
    'showing a certificate for another name': [
      () => ({
        clientConfig: {
          ...webhooks.client('/a'),
          url: `https://localhost:${webhooks.server.port}/a`,
        },
      }),
      /certificate is not valid for|connection refused/,
    ],
    'changing an object that it may only look at': [
      () => {
        webhooks.on('/a', () => patchWith({ op: 'add', path: '/metadata/labels', value: {} }));
        return {};
      },
      /validating webhook may not return response.patch$/,
      'validating',
    ],
    'sending a patch without its type': [
      () => {
        webhooks.on('/a', () => ({ ...patchWith(), patchType: undefined }));
        return {};
      },
      /webhook returned response.patch but not response.patchType$/,
      'mutating',
    ],
    'sending a patch of an unknown type': [
      () => {
        webhooks.on('/a', () => ({
          ...patchWith({ op: 'remove', path: '/spec' }),
          patchType: 'Merge',
        }));
        return {};
      },
      /unsupported patch type "Merge"$/,
      'mutating',
    ],
  };

  for (const [what, [prepare, told, only]] of Object.entries(FAULTS)) {
    for (const half of only === undefined ? (['mutating', 'validating'] as const) : [only]) {
      it(`${half}, ${what}: Fail refuses with 500, Ignore continues`, async () => {
        const fields = await prepare();
        await registrations.webhooks(half, 'fails', webhooks.hook('/a', fields));
        const refused = await create();
        assert.equal(refused.status, 500, refused.text);
        const { reason, message } = refused.json;
        assert.equal(reason, 'InternalError');
        assert.match(message, /^Internal error occurred: failed calling webhook "a.example.com": /);
        assert.match(message, told);
        await registrations.clear();
        const ignored = webhooks.hook('/a', { ...fields, failurePolicy: 'Ignore' });
        await registrations.webhooks(half, 'ignores', ignored);
        const passed = await create();
        assert.equal(passed.status, 201, passed.text);
        assert.equal(passed.json.metadata.labels, undefined);
      });
    }
  }

  it('a bundle may hold the certificate of the webhook itself, as envtest has it', async () => {
    webhooks.on('/a', () => ({ allowed: false, status: { message: 'was asked' } }));
    const clientConfig = { ...webhooks.client('/a'), caBundle: webhooks.server.ownBundle };
    await registrations.webhooks('validating', 'own', webhooks.hook('/a', { clientConfig }));
    assert.match((await create()).json.message, /denied the request: was asked$/);
  });

  it('extra slashes in a path are ignored', async () => {
    webhooks.on('/a', () => ({ allowed: false, status: { message: 'was asked' } }));
    const { url, caBundle } = webhooks.client('//a/');
    const hook = webhooks.hook('/a', { clientConfig: { url, caBundle } });
    await registrations.webhooks('validating', 'slashes', hook);
    assert.match((await create()).json.message, /denied the request: was asked$/);
  });

  it('a slow webhook within its timeout succeeds', async () => {
    webhooks.on('/a', async () => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      return { allowed: false, status: { message: 'thought about it' } };
    });
    await registrations.webhooks('validating', 's', webhooks.hook('/a', { timeoutSeconds: 5 }));
    assert.match((await create()).json.message, /denied the request: thought about it$/);
  });

  it('a configuration that would block its own repair can be changed and deleted', async () => {
    const everything = {
      operations: ['*'],
      apiGroups: ['*'],
      apiVersions: ['*'],
      resources: ['*/*'],
    };
    for (const half of ['mutating', 'validating'] as const) {
      webhooks.on('/a', () => ({ allowed: false }));
      const hook = webhooks.hook('/a', { rules: [everything] });
      await registrations.webhooks(half, 'blocks', hook);
      assert.equal((await create()).status, 400);
      const path = `/apis/admissionregistration.cluster.io/v1/${half}webhookconfigurations/blocks`;
      const type = { 'content-type': 'application/merge-patch+json' };
      const changed = await plinth.send('PATCH', path, { metadata: { labels: { a: 'b' } } }, type);
      assert.equal(changed.status, 200, changed.text);
      const gone = await plinth.send('DELETE', path);
      assert.equal(gone.status, 200, gone.text);
      await registrations.settle();
      assert.equal((await create()).status, 201);
    }
  });

  // The webhook's own 30 seconds are more than a test may take.
  it('is cancelled with the request: the server does not wait for a webhook longer than the client does', async () => {
    webhooks.on('/a', () => undefined);
    await registrations.webhooks('validating', 'h', webhooks.hook('/a', { timeoutSeconds: 30 }));
    const { status } = await plinth.send('POST', `${leasePath()}?timeout=1s`, lease());
    assert.equal(status, 504);
    const [sent] = webhooks.server.requests;
    assert.match(sent!.url, /\?timeout=1s$/);
  });

  it('is counted: calls, failures that were ignored, rejections', async () => {
    webhooks.on('/no', () => ({ allowed: false, status: { code: 403 } }));
    webhooks.raw('/broken', (response) => response.destroy());
    const broken = webhooks.hook('/broken', { failurePolicy: 'Ignore' });
    await registrations.webhooks('validating', 'm', webhooks.hook('/no'), broken);
    assert.equal((await create()).status, 403);
    const { text } = await plinth.get('/metrics');
    const line = (pattern: RegExp): void => assert.match(text, pattern);
    line(
      /apiserver_admission_webhook_rejection_count\{name="no.example.com",type="validating",operation="CREATE",error_type="no_error",rejection_code="403"\} 1/,
    );
    line(
      /apiserver_admission_webhook_fail_open_count\{name="broken.example.com",type="validating"\} 1/,
    );
    line(
      /apiserver_admission_webhook_admission_duration_seconds_count\{name="no.example.com",type="validating",operation="CREATE",rejected="true"\} 1/,
    );
  });
});
