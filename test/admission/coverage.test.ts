import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { ServedResource } from '../../registry/served-resource.ts';
import { AdmissionWebhooks, Registrations } from '../support/admission-webhook.ts';
import { install } from '../support/custom.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { collectionOf, itemOf, NAMESPACE, NAMESPACE_OBJECT, objectOf } from '../kinds/objects.ts';
import { KINDS, operationsOf } from '../kinds/operations.ts';

const GATES =
  'CoordinatedLeaderElection=true,DynamicResourceAllocation=true,TaintTolerationComparisonOperators=true';
const EVERYTHING = {
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*/*'],
};
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];
const PATCHES: Record<string, (object: any) => unknown> = {
  'merge-patch+json': () => ({ metadata: { labels: { guarded: 'no' } } }),
  'strategic-merge-patch+json': () => ({ metadata: { labels: { guarded: 'no' } } }),
  'json-patch+json': () => [{ op: 'add', path: '/metadata/labels', value: { guarded: 'no' } }],
  'apply-patch+yaml': ({ apiVersion, kind, metadata }) => ({
    ...{ apiVersion, kind, metadata: { name: metadata.name, labels: { guarded: 'no' } } },
  }),
};
const POLICIES = ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'].flatMap((kind) => [
  kind,
  `${kind}Binding`,
]);
const CONFIGURATIONS = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'];
/** A guard that is wrong could never be repaired if it guarded those. */
const EXEMPT: Record<string, readonly string[]> = {
  policy: POLICIES,
  webhook: [...POLICIES, ...CONFIGURATIONS],
};

/**
 * Policies and webhooks guard nothing when a subresource, or a way to write,
 * passes them by: every write of every kind is shown to both.
 */
describe('CVE-2023-2727, CVE-2023-2728, CVE-2024-3177: admission covers every write', () => {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  let things: string;
  const registrations = new Registrations(() => plinth);

  before(async () => {
    plinth = await Plinth.start({ args: ['--feature-gates', GATES] });
    webhooks = await AdmissionWebhooks.start();
    await plinth.send('POST', '/api/v1/namespaces', NAMESPACE_OBJECT);
    things = await install(plinth, {
      plural: 'things',
      kind: 'Thing',
      version: {
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    });
    const metadata = { name: 'sample' };
    const spec = { replicas: 1 };
    await plinth.send('POST', things, {
      apiVersion: 'test.example.com/v1',
      kind: 'Thing',
      metadata,
      spec,
    });
    for (const resource of KINDS) {
      if (resource.definition.computed === true) continue;
      const { status, text } = await plinth.send(
        'POST',
        collectionOf(resource),
        objectOf(resource),
      );
      assert.equal(status, 201, text);
    }
  });
  after(async () => {
    await registrations.clear();
    await plinth.dispose();
    await webhooks.close();
  });

  const GUARDS: Record<string, { on: () => Promise<void>; refusal: RegExp }> = {
    policy: {
      on: async () => {
        await registrations.make('validatingadmissionpolicies', {
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name: 'guard' },
          spec: {
            matchConstraints: { resourceRules: [EVERYTHING] },
            validations: [{ expression: 'false', message: 'guarded' }],
          },
        });
        await registrations.make('validatingadmissionpolicybindings', {
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata: { name: 'guard' },
          spec: { policyName: 'guard', validationActions: ['Deny'] },
        });
      },
      refusal: /guarded$/,
    },
    webhook: {
      on: async () => {
        webhooks.on('/guard', () => ({ allowed: false, status: { message: 'guarded' } }));
        const hook = webhooks.hook('/guard', { rules: [EVERYTHING] });
        await registrations.webhooks('mutating', 'guard', hook);
      },
      refusal: /denied the request: guarded$/,
    },
  };

  for (const [guard, { on, refusal }] of Object.entries(GUARDS)) {
    describe(`by a ${guard}`, () => {
      before(on);
      after(() => registrations.clear());

      const refused = (what: string, { status, json, text }: Reply): void => {
        assert.ok(status >= 400 && status < 500, `${what}: ${status} ${text}`);
        assert.match(json.message, refusal, what);
      };

      for (const resource of KINDS) {
        if (resource.definition.computed === true) continue;
        if (EXEMPT[guard]?.includes(resource.kind.kind) === true) continue;
        it(`every write of ${resource.kind.kind}`, async () => {
          const { name } = objectOf(resource).metadata as { name: string };
          for (const { method, path } of operationsOf(resource)) {
            if (!WRITES.includes(method)) continue;
            const at = path
              .replace('{namespace}', NAMESPACE)
              .replace('{name}', encodeURIComponent(name));
            await writes(resource, method, at, refused);
          }
        });
      }

      it('every write of a custom resource, its status and its scale', async () => {
        for (const part of ['', '/status', '/scale']) {
          const at = `${things}/sample${part}`;
          const { json: object } = await plinth.get(at);
          refused(`PUT ${at}`, await plinth.send('PUT', at, object));
          for (const [type, body] of Object.entries(PATCHES)) {
            if (type.startsWith('strategic')) continue;
            refused(`${type} ${at}`, await patch(at, type, body(object)));
          }
        }
      });
    });
  }

  async function writes(
    resource: ServedResource,
    method: string,
    at: string,
    refused: (what: string, reply: Reply) => void,
  ): Promise<void> {
    const sample: any = objectOf(resource);
    const { json: stored } = await plinth.get(itemOf(resource, sample.metadata.name));
    for (const dryRun of ['', '?dryRun=All']) {
      const what = `${method} ${at}${dryRun}`;
      if (method === 'PATCH') {
        for (const [type, body] of Object.entries(PATCHES)) {
          refused(`${type} ${what}`, await patch(at + dryRun, type, body(stored)));
        }
      } else if (method === 'POST') {
        // That it is there is found out only when it is written. A token is asked for in a kind of its own.
        const body = at.endsWith('/token') ? {} : sample;
        refused(what, await plinth.send('POST', at + dryRun, body));
      } else {
        const body = method === 'PUT' ? stored : undefined;
        refused(what, await plinth.send(method, at + dryRun, body));
      }
    }
  }

  const patch = (path: string, type: string, body: unknown): Promise<Reply> => {
    const query = type.startsWith('apply')
      ? `${path.includes('?') ? '&' : '?'}fieldManager=m&force=true`
      : '';
    return plinth.send('PATCH', path + query, body, { 'content-type': `application/${type}` });
  };
});
