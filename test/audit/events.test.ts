import assert from 'node:assert/strict';
import { Registrations } from '../support/admission-webhook.ts';
import { validatingPolicy } from '../support/policies.ts';
import { BODIES } from '../kinds/protobuf-bodies.ts';
import { isRefused, People, rule } from '../access/people.ts';
import { AuditLog } from './audit-log.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const NAMESPACES = '/api/v1/namespaces';
/** What kubectl sends for `create namespace proto-x`. */
const PROTOBUF = Buffer.from(
  '6b3873000a0f0a02763112094e616d657370616365121f0a170a0770726f746f2d7812001a0022002a0032003800420012001a020a001a002200',
  'hex',
);

describe('audit events', () => {
  const log = new AuditLog(
    [
      { level: 'None', nonResourceURLs: ['/readyz*'] },
      { level: 'Metadata', users: ['bob'] },
      { level: 'Request', users: ['carol'], omitManagedFields: true },
      { level: 'RequestResponse', omitStages: ['ResponseStarted'] },
    ],
    { omitStages: ['RequestReceived'] },
  );
  let people: People;
  before(async () => {
    people = await People.start({ alice: ['system:masters'], bob: [], carol: [] }, log);
    await people.grant('bob', 'edit');
    await people.grant('carol', 'edit');
  });
  after(async () => {
    await people.dispose();
    log.dispose();
  });

  let ids = 0;
  /** A request, its answer and the event in which it ends. */
  async function audited(
    user: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ reply: any; event: any }> {
    const id = `request-${ids++}`;
    const reply = await people.as(user, method, path, body, { 'audit-id': id, ...headers });
    return { reply, event: await log.end(id) };
  }

  it('objectRef: what the path leaves open the object says that was sent', async () => {
    const metadata = { name: 'ref', namespace: 'default' };
    const created = await audited('bob', 'POST', LEASES, { metadata });
    const common = {
      ...{ resource: 'leases', namespace: 'default', name: 'ref' },
      ...{ apiGroup: 'coordination.cluster.io', apiVersion: 'v1' },
    };
    assert.deepEqual(created.event.objectRef, common);
    const { uid, resourceVersion } = created.reply.json.metadata;
    const updated = await audited('bob', 'PUT', `${LEASES}/ref`, created.reply.json);
    assert.deepEqual(updated.event.objectRef, { ...common, uid, resourceVersion });
    assert.equal(updated.event.requestObject, undefined);
    const merge = { 'content-type': 'application/merge-patch+json' };
    const patched = await audited('bob', 'PATCH', `${LEASES}/ref`, { metadata: { uid } }, merge);
    assert.deepEqual(patched.event.objectRef, common, 'a patch is not an object');
    const nameless = { metadata: { generateName: 'ref-' } };
    const generated = await audited('bob', 'POST', LEASES, nameless);
    assert.equal(generated.reply.status, 201);
    assert.equal(generated.event.objectRef.name, undefined, 'the client has not sent one');
    const namespace = await audited('alice', 'POST', NAMESPACES, { metadata: { name: 'named' } });
    assert.equal(namespace.event.objectRef.name, 'named');
    const status = await audited(
      'alice',
      'PUT',
      `${NAMESPACES}/named/status`,
      namespace.reply.json,
    );
    assert.equal(status.event.objectRef.subresource, 'status');
    assert.equal(status.event.objectRef.uid, namespace.reply.json.metadata.uid);
  });

  it('show what was sent as protobuf', async () => {
    const type = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    const { reply, event } = await audited('alice', 'POST', NAMESPACES, PROTOBUF, type);
    assert.equal(reply.status, 201, reply.text);
    assert.equal(event.requestObject.metadata.name, 'proto-x');
    assert.equal(event.objectRef.name, 'proto-x');
  });

  it('show the apiVersion that was sent, in protobuf, too', async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/team/leases';
    const namespace = await audited('alice', 'POST', NAMESPACES, { metadata: { name: 'team' } });
    assert.equal(namespace.reply.status, 201, namespace.reply.text);
    const { protobuf } = BODIES.find(({ object }) => object['kind'] === 'Lease')!;
    const type = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    const sent = Buffer.from(protobuf, 'base64');
    const { reply, event } = await audited('alice', 'POST', path, sent, type);
    assert.equal(reply.status, 201, reply.text);
    for (const shown of [event.requestObject, event.responseObject]) {
      assert.equal(shown.apiVersion, 'coordination.k8s.io/v1');
    }
  });

  it('show an answer in YAML, and one that was compressed', async () => {
    const annotations = { long: 'x'.repeat(200_000) };
    await audited('alice', 'POST', LEASES, { metadata: { name: 'long', annotations } });
    for (const accept of [
      { accept: 'application/yaml' },
      { 'accept-encoding': 'gzip' },
      { accept: 'application/yaml', 'accept-encoding': 'gzip' },
    ] as Record<string, string>[]) {
      const { event } = await audited('alice', 'GET', `${LEASES}/long`, undefined, accept);
      assert.deepEqual(
        event.responseObject.metadata.annotations,
        annotations,
        Object.keys(accept).join(),
      );
      assert.equal(event.annotations['audit.k8s.io/truncated'], undefined);
    }
    const { event } = await audited('alice', 'GET', LEASES);
    assert.ok(event.responseObject.items.length > 1);
  });

  it('say so when an answer was too long for them', async () => {
    const annotations = { long: 'x'.repeat(250_000) };
    for (let i = 0; i < 9; i++) {
      await people.as('alice', 'POST', LEASES, { metadata: { name: `long-${i}`, annotations } });
    }
    for (const accept of [{}, { 'accept-encoding': 'gzip' }] as Record<string, string>[]) {
      const { reply, event } = await audited('alice', 'GET', LEASES, undefined, accept);
      assert.equal(reply.status, 200);
      assert.equal(event.responseObject, undefined);
      assert.equal(event.annotations['audit.k8s.io/truncated'], 'true');
    }
  });

  it('omitManagedFields and omitStages of a rule and of the policy', async () => {
    const { reply } = await audited('alice', 'POST', LEASES, {
      metadata: { name: 'managed' },
      spec: { holderIdentity: 'a' },
    });
    assert.ok(reply.json.metadata.managedFields.length > 0);
    const shown = await audited('alice', 'PUT', `${LEASES}/managed`, reply.json);
    assert.ok(shown.event.requestObject.metadata.managedFields.length > 0);
    assert.ok(shown.event.responseObject.metadata.managedFields.length > 0);
    const left = await audited('carol', 'PUT', `${LEASES}/managed`, shown.reply.json);
    assert.equal(left.event.requestObject.metadata.name, 'managed');
    assert.equal(left.event.requestObject.metadata.managedFields, undefined);
    assert.equal(left.event.responseObject, undefined);
    const watch = `${LEASES}?watch=1&timeoutSeconds=1&resourceVersion=0`;
    const { event } = await audited('alice', 'GET', watch);
    assert.deepEqual(
      log.of(event.auditID).map(({ stage }) => stage),
      ['ResponseComplete'],
    );
  });

  it('name the limited permission of an impersonation', async () => {
    await people.clusterRole('as-dora', [
      rule('impersonate:user-info', 'authentication.k8s.io', 'users', 'dora'),
    ]);
    await people.clusterRole('read-as-others', [
      rule('impersonate-on:user-info:list', 'coordination.cluster.io', 'leases'),
    ]);
    for (const role of ['as-dora', 'read-as-others']) await people.grant('bob', role);
    await people.clusterRole('be-dora', [rule('impersonate', '', 'users', 'dora')]);
    await people.grant('carol', 'be-dora');
    await people.grant('dora', 'view');
    const as = { 'impersonate-user': 'dora' };
    const { reply, event } = await audited('bob', 'GET', LEASES, undefined, as);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(event.user.username, 'bob');
    assert.equal(event.impersonatedUser.username, 'dora');
    assert.deepEqual(event.authenticationMetadata, {
      impersonationConstraint: 'impersonate:user-info',
    });
    const plain = await audited('carol', 'GET', LEASES, undefined, as);
    assert.equal(plain.event.impersonatedUser.username, 'dora');
    assert.equal(plain.event.authenticationMetadata, undefined);
  });

  it('note every decision, refusals too, and what is deprecated', async () => {
    const refused = await audited('bob', 'GET', '/api/v1/nodes');
    assert.ok(isRefused(refused.reply));
    assert.equal(refused.event.annotations['authorization.k8s.io/decision'], 'forbid');
    assert.equal(refused.event.responseStatus.code, 403);
    const old = await audited('alice', 'GET', '/api/v1/componentstatuses');
    assert.equal(old.event.annotations['authorization.k8s.io/decision'], 'allow');
    assert.equal(old.event.annotations['k8s.io/deprecated'], 'true');
  });

  it('hold the annotations of ValidatingAdmissionPolicies, and failures of those that only audit', async () => {
    const registrations = new Registrations(() => people.plinth);
    await validatingPolicy(
      registrations,
      'short-leases',
      {
        validations: [
          { expression: 'true' },
          { expression: 'object.spec.leaseDurationSeconds <= 10', message: 'too long' },
        ],
        auditAnnotations: [
          { key: 'seconds', valueExpression: 'string(object.spec.leaseDurationSeconds)' },
          { key: 'nothing', valueExpression: 'null' },
        ],
      },
      { validationActions: ['Audit', 'Warn'] },
    );
    const create = (name: string, leaseDurationSeconds: number) =>
      audited('bob', 'POST', LEASES, { metadata: { name }, spec: { leaseDurationSeconds } });
    const failure = 'validation.policy.admission.cluster.io/validation_failure';
    const short = await create('short', 5);
    assert.equal(short.event.annotations['short-leases/seconds'], '5');
    assert.ok(!('short-leases/nothing' in short.event.annotations));
    assert.equal(short.event.annotations[failure], undefined);
    const long = await create('too-long', 50);
    assert.equal(long.reply.status, 201);
    assert.equal(long.event.level, 'Metadata');
    assert.deepEqual(JSON.parse(long.event.annotations[failure]), [
      {
        message: 'too long',
        policy: 'short-leases',
        binding: 'short-leases',
        expressionIndex: 1,
        validationActions: ['Audit', 'Warn'],
      },
    ]);
    await registrations.clear();
  });
});
