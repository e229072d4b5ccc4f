import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  AdmissionWebhooks,
  lease,
  leasePath,
  LEASES,
  patchWith,
  registration,
  Registrations,
} from '../support/admission-webhook.ts';
import { crd, CRDS, MERGE, patched } from '../support/custom.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const GROUP = 'rules.example.com';
const OPEN = { type: 'object', 'x-cluster-preserve-unknown-fields': true };
const GADGETS = {
  operations: ['*'],
  apiGroups: [GROUP],
  apiVersions: ['*'],
  resources: ['gadgets'],
};

/** Every rule of specification 3, section 2.3, against a real server and a real webhook. */
describe('specification 3, section 2.3', () => {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  let services: AdmissionWebhooks;
  let directory: string;
  const registrations = new Registrations(() => plinth);

  before(async () => {
    webhooks = await AdmissionWebhooks.start();
    services = await AdmissionWebhooks.start({ names: ['guard.shop.svc'] });
    directory = await mkdtemp(join(tmpdir(), 'plinth-services-'));
    const map = join(directory, 'services');
    const { port } = services.server;
    writeFileSync(
      map,
      `# where services are\nshop/guard:443 127.0.0.1:${port}\nshop/guard:8443 127.0.0.1:${port}\n`,
    );
    plinth = await Plinth.start({ args: ['--service-endpoints-file', map] });
    const version = (name: string): object => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: OPEN, status: OPEN } } },
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    });
    const definition = crd({
      plural: 'gadgets',
      kind: 'Gadget',
      group: GROUP,
      versions: [version('v1'), version('v2')],
    });
    assert.equal((await plinth.send('POST', CRDS, definition)).status, 201);
    await eventually(async () => (await plinth.get(gadgets())).status === 200, 'gadgets');
  });
  after(async () => {
    await plinth.dispose();
    await webhooks.close();
    await services.close();
    await rm(directory, { recursive: true });
  });
  afterEach(async () => {
    await registrations.clear();
    await plinth.send('DELETE', gadgets());
    webhooks.reset();
    services.reset();
  });

  const gadgets = (name = '', version = 'v1'): string =>
    `/apis/${GROUP}/${version}/namespaces/default/gadgets${name === '' ? '' : `/${name}`}`;
  const gadget = (name: string, metadata: object = {}, version = 'v1'): any => ({
    apiVersion: `${GROUP}/${version}`,
    kind: 'Gadget',
    metadata: { name, ...metadata },
    spec: { replicas: 1 },
  });
  const createLease = (metadata: object = {}, query = ''): Promise<Reply> =>
    plinth.send('POST', leasePath() + query, lease(metadata));
  const validate = (fields: object = {}): Promise<void> =>
    registrations.webhooks('validating', 'rule', webhooks.hook('/a', fields));
  /** Creates a configuration that must be refused, and tells for which fields. */
  const refusedFields = async (fields: object): Promise<string[]> => {
    const reply = await plinth.send('POST', registration('validatingwebhookconfigurations'), {
      apiVersion: 'admissionregistration.cluster.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'refused' },
      webhooks: [webhooks.hook('/a', fields)],
    });
    assert.equal(reply.status, 422, reply.text);
    return reply.json.details.causes.map((cause: any) => cause.field);
  };

  describe('admissionReviewVersions', () => {
    for (const [versions, used] of [
      [['v1'], 'v1'],
      [['v1beta1', 'v1'], 'v1beta1'],
      [['v9', 'v1', 'v1beta1'], 'v1'],
    ] as const) {
      it(`${versions.join(', ')}: the first that the server supports is sent: ${used}`, async () => {
        await validate({ admissionReviewVersions: versions });
        assert.equal((await createLease()).status, 201);
        const [review] = webhooks.reviews();
        assert.equal(review.apiVersion, `admission.cluster.io/${used}`);
        assert.equal(review.kind, 'AdmissionReview');
      });
    }

    it('without one that is supported the object fails validation', async () => {
      const fields = await refusedFields({ admissionReviewVersions: ['v9'] });
      assert.deepEqual(fields, ['webhooks[0].admissionReviewVersions']);
      const none = await refusedFields({ admissionReviewVersions: [] });
      assert.deepEqual(none, ['webhooks[0].admissionReviewVersions']);
    });
  });

  describe('clientConfig', () => {
    it('service: called by its name, with its path, on port 443 unless said', async () => {
      const { caBundle } = services.server;
      for (const port of [undefined, 8443]) {
        const service = { namespace: 'shop', name: 'guard', path: '/check', port };
        await validate({ clientConfig: { caBundle, service } });
        const { status, text } = await createLease();
        assert.equal(status, 201, text);
        const [sent] = services.server.requests.splice(0);
        assert.equal(sent?.url, '/check?timeout=10s');
        assert.equal(sent.headers.host, `guard.shop.svc:${port ?? 443}`);
        assert.equal(services.requests('/check').length, 1);
        await registrations.clear();
      }
    });

    it('service: one whose certificate is for another name is not believed', async () => {
      const service = { namespace: 'shop', name: 'other' };
      const { caBundle } = services.server;
      await validate({ clientConfig: { caBundle, service } });
      assert.equal((await createLease()).status, 500);
    });

    it('exactly one of service and url', async () => {
      const service = { namespace: 'shop', name: 'guard' };
      const { caBundle } = services.server;
      const at = ['webhooks[0].clientConfig'];
      assert.deepEqual(await refusedFields({ clientConfig: { caBundle } }), at);
      const both = { caBundle, service, url: 'https://example.com' };
      assert.deepEqual(await refusedFields({ clientConfig: both }), at);
    });

    for (const url of [
      'http://example.com/a',
      'https://me@example.com/a',
      'https://example.com/a#b',
      'https://example.com/a?b=c',
    ]) {
      it(`url: not ${url}`, async () => {
        assert.deepEqual(await refusedFields({ clientConfig: { url } }), [
          'webhooks[0].clientConfig.url',
        ]);
      });
    }
  });

  it('name: fully qualified, a name followed by the domain of an organization', async () => {
    assert.deepEqual(await refusedFields({ name: 'guard' }), ['webhooks[0].name']);
    assert.deepEqual(await refusedFields({ name: 'guard.com' }), ['webhooks[0].name']);
  });

  describe('sideEffects', () => {
    it('must be None or NoneOnDryRun', async () => {
      for (const sideEffects of ['Some', 'Unknown', '']) {
        assert.deepEqual(await refusedFields({ sideEffects }), ['webhooks[0].sideEffects']);
      }
    });

    for (const sideEffects of ['None', 'NoneOnDryRun']) {
      it(`${sideEffects}: a dry run is shown to the webhook as such`, async () => {
        await validate({ sideEffects });
        assert.equal((await createLease({}, '?dryRun=All')).status, 201);
        assert.equal((await createLease()).status, 201);
        const [dry, real] = webhooks.requests();
        assert.deepEqual([dry.dryRun, real.dryRun], [true, false]);
        assert.deepEqual(dry.options.dryRun, ['All']);
      });
    }
  });

  it('failurePolicy: Fail unless said', async () => {
    webhooks.raw('/a', (response) => response.destroy());
    await validate();
    assert.equal((await createLease()).status, 500);
    await registrations.clear();
    await validate({ failurePolicy: 'Ignore' });
    assert.equal((await createLease()).status, 201);
  });

  it('failurePolicy: Ignore applies to failures only; a refusal still counts', async () => {
    webhooks.on('/a', () => ({ allowed: false, status: { message: 'no' } }));
    await validate({ failurePolicy: 'Ignore' });
    const { status, json } = await createLease();
    assert.deepEqual(
      [status, json.message],
      [400, 'admission webhook "a.example.com" denied the request: no'],
    );
  });

  describe('matchConditions', () => {
    const when = (...expressions: string[]): object => ({
      matchConditions: expressions.map((expression, i) => ({ name: `c${i}`, expression })),
    });
    const broken = 'object.nothing.here == 1';

    it('all true: the webhook is called', async () => {
      await validate(when("object.kind == 'Lease'", 'true'));
      await createLease();
      assert.equal(webhooks.requests().length, 1);
    });

    it('one false: the webhook is skipped, also when another fails', async () => {
      for (const expressions of [
        ['true', 'false'],
        [broken, 'false'],
        ['false', broken],
      ]) {
        await validate(when(...expressions));
        assert.equal((await createLease()).status, 201);
        await registrations.clear();
      }
      assert.equal(webhooks.requests().length, 0);
    });

    it('one that fails and none false: Fail refuses the request with 403', async () => {
      await validate(when('true', broken));
      const { status, json } = await createLease();
      assert.deepEqual([status, json.reason], [403, 'Forbidden']);
      assert.match(json.message, /resulted in error/);
      assert.equal(webhooks.requests().length, 0);
    });

    it('one that fails and none false: Ignore skips the webhook', async () => {
      await validate({ ...when('true', broken), failurePolicy: 'Ignore' });
      assert.equal((await createLease()).status, 201);
      assert.equal(webhooks.requests().length, 0);
    });

    it('come after rules and selectors', async () => {
      await validate({ ...when(broken), objectSelector: { matchLabels: { asked: 'yes' } } });
      assert.equal((await createLease()).status, 201);
      assert.equal((await createLease({ labels: { asked: 'yes' } })).status, 403);
    });

    it('at most 64', async () => {
      const many = Array.from({ length: 65 }, () => 'true');
      assert.deepEqual(await refusedFields(when(...many)), ['webhooks[0].matchConditions']);
    });

    it('the result must be a boolean', async () => {
      assert.deepEqual(await refusedFields(when("'yes'")), [
        'webhooks[0].matchConditions[0].expression',
      ]);
    });

    for (const name of ['-a', 'a-', 'a b', 'EXAMPLE.com/a', 'a/b/c']) {
      it(`a name is a qualified name: not ${name}`, async () => {
        const matchConditions = [{ name, expression: 'true' }];
        const fields = await refusedFields({ matchConditions });
        assert.deepEqual([...new Set(fields)], ['webhooks[0].matchConditions[0].name']);
      });
    }

    for (const [what, expression] of Object.entries({
      'object and oldObject of a create': 'oldObject == null && object.metadata.name.size() > 0',
      request: "request.operation == 'CREATE' && request.namespace == 'default'",
      authorizer: "authorizer.group('').resource('namespaces').check('delete').allowed()",
      'authorizer.requestResource': "authorizer.requestResource.check('create').allowed()",
    })) {
      it(`variables: ${what}`, async () => {
        await validate(when(expression));
        assert.equal((await createLease()).status, 201);
        assert.equal(webhooks.requests().length, 1);
      });
    }

    it('variables: object is null on DELETE', async () => {
      const rules = [{ ...LEASES, operations: ['DELETE'] }];
      const { json } = await createLease();
      await validate({ rules, ...when('object == null && oldObject != null') });
      await plinth.send('DELETE', leasePath(json.metadata.name));
      const [request] = webhooks.requests();
      assert.equal(request.object, null);
      assert.equal(request.oldObject.metadata.name, json.metadata.name);
    });
  });

  describe('matchPolicy', () => {
    const rules = [{ ...GADGETS, apiVersions: ['v1'] }];

    it('Exact: only requests that are literally in the rules', async () => {
      await validate({ rules, matchPolicy: 'Exact' });
      await plinth.send('POST', gadgets('', 'v2'), gadget('a', {}, 'v2'));
      assert.equal(webhooks.requests().length, 0);
      await plinth.send('POST', gadgets(), gadget('b'));
      assert.equal(webhooks.requests().length, 1);
    });

    it('Equivalent, which is the default: other versions are converted and sent', async () => {
      await validate({ rules });
      const { status, text } = await plinth.send('POST', gadgets('', 'v2'), gadget('a', {}, 'v2'));
      assert.equal(status, 201, text);
      const [request] = webhooks.requests();
      assert.equal(request.object.apiVersion, `${GROUP}/v1`);
      assert.equal(request.resource.version, 'v1');
      assert.equal(request.requestResource.version, 'v2');
      assert.equal(request.requestKind.version, 'v2');
    });

    it('Equivalent: what a webhook changes comes back in the version of the request', async () => {
      webhooks.on('/a', () => patchWith({ op: 'add', path: '/spec/by', value: 'webhook' }));
      await registrations.webhooks('mutating', 'rule', webhooks.hook('/a', { rules }));
      const { json } = await plinth.send('POST', gadgets('', 'v2'), gadget('a', {}, 'v2'));
      assert.deepEqual([json.apiVersion, json.spec.by], [`${GROUP}/v2`, 'webhook']);
    });
  });

  describe('namespaceSelector', () => {
    const namespaceSelector = {
      matchExpressions: [{ key: 'guarded', operator: 'In', values: ['yes'] }],
    };
    const namespaces = '/api/v1/namespaces';
    const namespace = (name: string, labels: object): object => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels },
    });

    it('goes by the labels of the namespace of the object', async () => {
      await plinth.send('POST', namespaces, namespace('guarded', { guarded: 'yes' }));
      await validate({ namespaceSelector });
      await createLease();
      assert.equal(webhooks.requests().length, 0);
      const path = leasePath().replace('/default/', '/guarded/');
      assert.equal((await plinth.send('POST', path, lease())).status, 201);
      assert.equal(webhooks.requests().length, 1);
    });

    it('a Namespace goes by its own labels', async () => {
      const rules = [{ ...LEASES, apiGroups: [''], resources: ['namespaces'] }];
      await validate({ rules, namespaceSelector });
      await plinth.send('POST', `${namespaces}?dryRun=All`, namespace('n', {}));
      assert.equal(webhooks.requests().length, 0);
      await plinth.send('POST', `${namespaces}?dryRun=All`, namespace('n', { guarded: 'yes' }));
      assert.equal(webhooks.requests().length, 1);
    });

    it('other objects of cluster scope are never skipped', async () => {
      const rules = [{ ...LEASES, apiGroups: [''], resources: ['nodes'] }];
      await validate({ rules, namespaceSelector });
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };
      assert.equal((await plinth.send('POST', '/api/v1/nodes?dryRun=All', node)).status, 201);
      assert.equal(webhooks.requests().length, 1);
    });
  });

  describe('objectSelector', () => {
    const objectSelector = { matchLabels: { guarded: 'yes' } };
    const guarded = { labels: { guarded: 'yes' } };
    const rules = [{ ...LEASES, operations: ['*'] }];

    it('the new object matches: called', async () => {
      await validate({ rules, objectSelector });
      await createLease();
      assert.equal(webhooks.requests().length, 0);
      await createLease(guarded);
      assert.equal(webhooks.requests().length, 1);
    });

    it('the old object matches, or the new one: called', async () => {
      const { json } = await createLease(guarded);
      await validate({ rules, objectSelector });
      const path = leasePath(json.metadata.name);
      await patched(plinth, path, MERGE, { metadata: { labels: { guarded: 'no' } } });
      await patched(plinth, path, MERGE, { metadata: { labels: { other: 'x' } } });
      await patched(plinth, path, MERGE, { metadata: { labels: { guarded: 'yes' } } });
      assert.equal(webhooks.requests().length, 2);
    });

    it('on delete only the old object is there', async () => {
      const { json } = await createLease(guarded);
      await validate({ rules, objectSelector });
      await plinth.send('DELETE', leasePath(json.metadata.name));
      assert.equal(webhooks.requests().length, 1);
    });
  });

  describe('rules', () => {
    it('operations: each is asked for by itself, * is all of them', async () => {
      await validate({ rules: [{ ...LEASES, operations: ['*'] }] });
      const { json } = await createLease();
      const path = leasePath(json.metadata.name);
      await patched(plinth, path, MERGE, { spec: { holderIdentity: 'me' } });
      await plinth.send('DELETE', path);
      const operations = webhooks.requests().map(({ operation }) => operation);
      assert.deepEqual(operations, ['CREATE', 'UPDATE', 'DELETE']);
    });

    for (const [resources, wanted] of [
      [['gadgets'], ['']],
      [['gadgets/status'], ['status']],
      [['gadgets/*'], ['status', 'scale']],
      [['*/scale'], ['scale']],
      [['*'], ['']],
      [['*/*'], ['', 'status', 'scale']],
    ] as const) {
      it(`resources ${resources.join()}: ${wanted.join(' and ') || 'the object'}`, async () => {
        await plinth.send('POST', gadgets(), gadget('a'));
        await validate({ rules: [{ ...GADGETS, resources }] });
        await patched(plinth, gadgets('a'), MERGE, { spec: { color: 'red' } });
        await patched(plinth, gadgets('a/status'), MERGE, { status: { phase: 'on' } });
        await patched(plinth, gadgets('a/scale'), MERGE, { spec: { replicas: 2 } });
        const asked = webhooks.requests().map(({ subResource = '' }) => subResource);
        assert.deepEqual(asked, wanted);
      });
    }

    for (const [scope, wanted] of [
      ['*', ['leases', 'namespaces']],
      ['Cluster', ['namespaces']],
      ['Namespaced', ['leases']],
    ] as const) {
      it(`scope ${scope}: Namespace is an object of cluster scope`, async () => {
        const all = { apiGroups: ['*'], apiVersions: ['*'], resources: ['leases', 'namespaces'] };
        await validate({ rules: [{ ...all, operations: ['CREATE'], scope }] });
        await createLease();
        const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'scoped' } };
        await plinth.send('POST', '/api/v1/namespaces?dryRun=All', body);
        assert.deepEqual(
          webhooks.requests().map(({ resource }) => resource.resource),
          wanted,
        );
      });
    }

    it('* stands alone, and resources do not overlap', async () => {
      const refused = async (rule: object, field: string): Promise<void> =>
        assert.deepEqual(await refusedFields({ rules: [{ ...LEASES, ...rule }] }), [
          `webhooks[0].rules[0].${field}`,
        ]);
      await refused({ apiGroups: ['*', 'apps'] }, 'apiGroups');
      await refused({ apiVersions: ['*', 'v1'] }, 'apiVersions');
      await refused({ operations: ['*', 'CREATE'] }, 'operations');
      await refused({ resources: ['*', 'leases'] }, 'resources');
    });

    it('a webhook is called once, however many rules match', async () => {
      await validate({ rules: [LEASES, { ...LEASES, operations: ['*'] }] });
      await createLease();
      assert.equal(webhooks.requests().length, 1);
    });
  });

  it('webhooks are never asked about configurations of webhooks', async () => {
    const rules = [{ ...LEASES, operations: ['*'], apiGroups: ['*'], resources: ['*'] }];
    await validate({ rules });
    await registrations.webhooks('mutating', 'other', webhooks.hook('/b'));
    await registrations.webhooks('validating', 'another', webhooks.hook('/b'));
    await plinth.send('DELETE', registration('mutatingwebhookconfigurations/other'));
    // loops write in the meantime, and are asked about
    const asked = webhooks.requests().map(({ resource }) => resource.group);
    assert.deepEqual(
      asked.filter((group) => group === 'admissionregistration.cluster.io'),
      [],
    );
  });

  it('timeoutSeconds: 1 to 30, 10 unless said', async () => {
    for (const timeoutSeconds of [0, 31]) {
      assert.deepEqual(await refusedFields({ timeoutSeconds }), ['webhooks[0].timeoutSeconds']);
    }
    await validate();
    await createLease();
    assert.equal(webhooks.server.requests[0]!.url, '/a?timeout=10s');
  });
});
