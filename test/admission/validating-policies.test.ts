import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  lease,
  leasePath,
  LEASES,
  registration,
  Registrations,
} from '../support/admission-webhook.ts';
import { cpuMs } from '../../bench/load/process.ts';
import { install, MERGE, patched } from '../support/custom.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { validatingPolicy } from '../support/policies.ts';

const GROUP = 'limits.example.com';

describe('ValidatingAdmissionPolicy', () => {
  let plinth: Plinth;
  let limits: string;
  const registrations = new Registrations(() => plinth);
  const create = (spec: object = {}, metadata: object = {}): Promise<Reply> =>
    plinth.send('POST', `${leasePath()}?dryRun=All`, lease(metadata, spec));
  const apply = (spec: object, binding?: object): Promise<void> =>
    validatingPolicy(registrations, 'p', spec, binding);

  before(async () => {
    plinth = await Plinth.start();
    const schema = { type: 'object', 'x-cluster-preserve-unknown-fields': true };
    limits = await install(plinth, { plural: 'limits', kind: 'Limit', group: GROUP, schema });
    await install(plinth, {
      plural: 'quotas',
      kind: 'Quota',
      group: GROUP,
      schema,
      scope: 'Cluster',
    });
  });
  after(() => plinth.dispose());
  afterEach(() => registrations.clear());

  const short = { expression: 'object.spec.leaseDurationSeconds <= 10' };

  it('allows when the expression is true and refuses when it is false, with 422 unless the policy sets a reason', async () => {
    await apply({ validations: [short] });
    assert.equal((await create({ leaseDurationSeconds: 10 })).status, 201);
    const { status, json } = await create({ leaseDurationSeconds: 11 }, { name: 'long' });
    assert.deepEqual([status, json.reason], [422, 'Invalid']);
    const text = `ValidatingAdmissionPolicy 'p' with binding 'p' denied request: failed expression: ${short.expression}`;
    assert.equal(json.message, `leases.coordination.cluster.io "long" is forbidden: ${text}`);
    assert.deepEqual(json.details.causes, [{ message: text }]);
  });

  for (const [reason, code] of Object.entries({
    Forbidden: 403,
    RequestEntityTooLarge: 413,
    Invalid: 422,
  })) {
    it(`reason ${reason}: ${code}`, async () => {
      await apply({ validations: [{ expression: 'false', reason, message: 'no' }] });
      const { status, json } = await create();
      assert.deepEqual([status, json.reason], [code, reason]);
    });
  }

  for (const [what, fields, told] of [
    ['message', { message: ' too long ' }, 'too long'],
    ['messageExpression', { messageExpression: "'is ' + object.metadata.name" }, 'is a'],
    ['one that fails', { messageExpression: 'string(object.no.such)', message: 'm' }, 'm'],
    ['one that makes an empty text', { messageExpression: "'  '", message: 'm' }, 'm'],
    ['one that makes two lines', { messageExpression: "'a\\nb'" }, 'failed expression: false'],
  ] as const) {
    it(`says why: ${what}`, async () => {
      await apply({ validations: [{ expression: 'false', ...fields }] });
      const { json } = await create({}, { name: 'a' });
      assert.ok(json.message.endsWith(`denied request: ${told}`), json.message);
    });
  }

  it('without a binding it does nothing', async () => {
    await registrations.make('validatingadmissionpolicies', {
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'p' },
      spec: {
        matchConstraints: { resourceRules: [LEASES] },
        validations: [{ expression: 'false' }],
      },
    });
    assert.equal((await create()).status, 201);
  });

  it('a binding narrows it further', async () => {
    const matchResources = { objectSelector: { matchLabels: { strict: 'yes' } } };
    await apply({ validations: [{ expression: 'false' }] }, { matchResources });
    assert.equal((await create()).status, 201);
    assert.equal((await create({}, { labels: { strict: 'yes' } })).status, 422);
  });

  it('matchConstraints: names, exclusions, operations', async () => {
    const rule = { ...LEASES, operations: ['CREATE'], resourceNames: ['a', 'b'] };
    const excluded = { ...LEASES, operations: ['*'], resourceNames: ['b'] };
    const matchConstraints = { resourceRules: [rule], excludeResourceRules: [excluded] };
    await apply({ matchConstraints, validations: [{ expression: 'false' }] });
    const statuses = ['a', 'b', 'c'].map(async (name) => (await create({}, { name })).status);
    assert.deepEqual(await Promise.all(statuses), [422, 201, 201]);
  });

  it('sees deletions: oldObject alone is there', async () => {
    const { json } = await plinth.send('POST', leasePath(), lease());
    const expression = "request.operation != 'DELETE' || (object == null && oldObject == null)";
    await apply({ validations: [{ expression, reason: 'Forbidden' }] });
    const refused = await plinth.send('DELETE', leasePath(json.metadata.name));
    assert.equal(refused.status, 403);
  });

  it('variables use those before them, and are evaluated when they are asked for', async () => {
    await apply({
      variables: [
        { name: 'seconds', expression: 'object.spec.leaseDurationSeconds' },
        { name: 'long', expression: 'variables.seconds > 10' },
        { name: 'broken', expression: 'object.no.such.field' },
      ],
      validations: [
        { expression: '!variables.long', messageExpression: "string(variables.seconds) + ' s'" },
        { expression: 'variables.seconds < 100 || variables.broken', message: 'broken' },
      ],
    });
    assert.equal((await create({ leaseDurationSeconds: 5 })).status, 201);
    assert.match((await create({ leaseDurationSeconds: 20 })).json.message, /20 s$/);
  });

  it('namespaceObject and authorizer are there', async () => {
    await apply({
      validations: [
        { expression: "namespaceObject.metadata.name == 'default'", message: 'namespace' },
        {
          expression: "authorizer.group('').resource('nodes').check('create').allowed()",
          message: 'authorizer',
        },
        { expression: "authorizer.requestResource.check('create').allowed()", message: 'resource' },
      ],
    });
    const { status, text } = await create();
    assert.equal(status, 201, text);
  });

  describe('failurePolicy', () => {
    const broken = [{ expression: 'object.spec.leaseDurationSeconds > 1' }];

    it('Fail: an expression that cannot be evaluated refuses the request', async () => {
      await apply({ validations: broken });
      const { status, json } = await create();
      assert.equal(status, 422);
      assert.match(json.message, /resulted in error: no such key: leaseDurationSeconds/);
    });

    it('Ignore: an expression that cannot be evaluated allows, and a false one still refuses', async () => {
      await apply({ validations: broken, failurePolicy: 'Ignore' });
      assert.equal((await create()).status, 201);
      assert.equal((await create({ leaseDurationSeconds: 1 })).status, 422);
    });

    it('matchConditions that fail: Fail refuses, Ignore passes by; one false passes by', async () => {
      const validations = [{ expression: 'false', message: 'evaluated' }];
      const conditions = (...texts: string[]): object[] =>
        texts.map((expression, i) => ({ name: `c${i}`, expression }));
      const [noSuch, no] = ['object.no.such == 1', 'false'];
      for (const [matchConditions, failurePolicy, status] of [
        [conditions(noSuch), 'Fail', 422],
        [conditions(noSuch), 'Ignore', 201],
        [conditions(noSuch, no), 'Fail', 201],
        [conditions('true'), 'Fail', 422],
      ] as const) {
        await apply({ validations, matchConditions, failurePolicy });
        assert.equal((await create()).status, status);
        await registrations.clear();
      }
    });

    it('CEL bombs: an expression above its cost limit stops in bounded time and the request is refused', async () => {
      const list = `[${Array.from({ length: 60 }, (_, i) => i).join()}]`;
      const nested = ['a', 'b', 'c', 'd'].reduce(
        (inner, name) => `${list}.all(${name}, ${inner})`,
        'true',
      );
      await apply({ validations: [{ expression: nested }] });
      const started = cpuMs(plinth.pid);
      const { status, json } = await create();
      assert.equal(status, 422);
      assert.match(json.message, /cost/);
      assert.ok(cpuMs(plinth.pid) - started < 5_000);
    });
  });

  describe('validationActions', () => {
    const validations = [{ expression: 'false', message: 'no' }];

    it('Warn: allowed, with a warning', async () => {
      await apply({ validations }, { validationActions: ['Warn'] });
      const { status, headers } = await create();
      assert.equal(status, 201);
      const text = "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': no";
      assert.match(String(headers.warning), new RegExp(text));
    });

    it('Audit: allowed, without a warning', async () => {
      await apply({ validations }, { validationActions: ['Audit'] });
      const { status, headers } = await create();
      assert.deepEqual([status, headers.warning], [201, undefined]);
    });

    it('an audit annotation that cannot be evaluated refuses, whatever the action', async () => {
      const auditAnnotations = [{ key: 'k', valueExpression: 'string(object.no.such)' }];
      await apply({ auditAnnotations }, { validationActions: ['Audit'] });
      assert.equal((await create()).status, 422);
      await registrations.clear();
      await apply({ auditAnnotations, failurePolicy: 'Ignore' }, { validationActions: ['Audit'] });
      assert.equal((await create()).status, 201);
    });
  });

  describe('parameters', () => {
    const paramKind = { apiVersion: `${GROUP}/v1`, kind: 'Limit' };
    const spec = {
      paramKind,
      validations: [
        {
          expression: 'object.spec.leaseDurationSeconds <= params.most',
          messageExpression: "'at most ' + string(params.most)",
        },
      ],
    };
    const limit = async (name: string, most: number, labels: object = {}): Promise<void> => {
      const metadata = { name, labels };
      const body = { apiVersion: `${GROUP}/v1`, kind: 'Limit', metadata, most };
      const { status, text } = await plinth.send('POST', limits, body);
      assert.equal(status, 201, text);
    };
    afterEach(() => plinth.send('DELETE', limits));
    const paramRef = { name: 'small', parameterNotFoundAction: 'Deny' };

    it('by name, in the namespace of the request; changes count at once', async () => {
      await limit('small', 5);
      await apply(spec, { paramRef });
      assert.equal((await create({ leaseDurationSeconds: 5 })).status, 201);
      assert.match((await create({ leaseDurationSeconds: 6 })).json.message, /at most 5$/);
      await patched(plinth, `${limits}/small`, MERGE, { most: 6 });
      await registrations.settle();
      assert.equal((await create({ leaseDurationSeconds: 6 })).status, 201);
    });

    it('by a selector: every one of them counts', async () => {
      await limit('a', 5, { for: 'leases' });
      await limit('b', 3, { for: 'leases' });
      await limit('c', 1, { for: 'others' });
      const selector = { matchLabels: { for: 'leases' } };
      await apply(spec, { paramRef: { selector, parameterNotFoundAction: 'Deny' } });
      assert.equal((await create({ leaseDurationSeconds: 3 })).status, 201);
      assert.match((await create({ leaseDurationSeconds: 4 })).json.message, /at most 3$/);
    });

    it('missing: Deny refuses, Allow lets through', async () => {
      await apply(spec, { paramRef });
      assert.match((await create()).json.message, /no params found for policy binding/);
      await registrations.clear();
      await apply(spec, { paramRef: { ...paramRef, parameterNotFoundAction: 'Allow' } });
      assert.equal((await create()).status, 201);
    });

    it('of a kind that is not served: failurePolicy decides', async () => {
      const unknown = { ...spec, paramKind: { ...paramKind, kind: 'Nothing' } };
      await apply(unknown, { paramRef });
      assert.match((await create()).json.message, /failed to configure policy/);
      await registrations.clear();
      await apply({ ...unknown, failurePolicy: 'Ignore' }, { paramRef });
      assert.equal((await create()).status, 201);
    });

    it('of cluster scope they have no namespace', async () => {
      const quota = { ...spec, paramKind: { ...paramKind, kind: 'Quota' } };
      await apply(quota, { paramRef: { ...paramRef, namespace: 'default' } });
      assert.match((await create()).json.message, /must not be provided for a cluster-scoped/);
    });
  });

  it('is told in its status which expressions do not fit the types that it meets', async () => {
    const path = `${registration('validatingadmissionpolicies')}/p`;
    const warnings = async (): Promise<any[] | undefined> =>
      (await plinth.get(path)).json.status?.typeChecking?.expressionWarnings;
    await apply({
      validations: [
        { expression: 'oldObject == null || object.spec.leaseDurationSeconds > 1' },
        { expression: 'object.spec.leaseSeconds > 1' },
        { expression: "object.metadata.labels['a'] == 'b' && !has(object.metadata.finalizers)" },
        { expression: "object.spec.leaseDurationSeconds == 'x'" },
      ],
    });
    await eventually(async () => (await warnings()) !== undefined, 'warnings');
    const found = (await warnings())!;
    assert.deepEqual(
      found.map(({ fieldRef }) => fieldRef),
      ['spec.validations[1].expression', 'spec.validations[3].expression'],
    );
    assert.match(
      found[0].warning,
      /^coordination.cluster.io\/v1, Kind=Lease: .*undefined field 'leaseSeconds'/s,
    );
    const validations = [{ expression: 'object.spec.leaseDurationSeconds > 1' }];
    const changed = await patched(plinth, path, MERGE, { spec: { validations } });
    assert.equal(changed.status, 200, changed.text);
    await eventually(async () => (await warnings()) === undefined, 'the warnings are gone');
    const { metadata, status } = (await plinth.get(path)).json;
    assert.equal(status.observedGeneration, metadata.generation);
  });

  it('guards configurations of webhooks, but never itself', async () => {
    const rule = { ...LEASES, operations: ['*'], apiGroups: ['*'], resources: ['*'] };
    const matchConstraints = { resourceRules: [rule] };
    await apply({ matchConstraints, validations: [{ expression: 'false', reason: 'Forbidden' }] });
    const webhook = {
      name: 'a.example.com',
      clientConfig: { url: 'https://example.com' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const guarded = await plinth.send('POST', registration('validatingwebhookconfigurations'), {
      apiVersion: 'admissionregistration.cluster.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'w' },
      webhooks: [webhook],
    });
    assert.equal(guarded.status, 403);
    const path = `${registration('validatingadmissionpolicies')}/p`;
    const changed = await patched(plinth, path, MERGE, { metadata: { labels: { a: 'b' } } });
    assert.equal(changed.status, 200);
    assert.equal((await plinth.send('DELETE', path)).status, 200);
  });
});
