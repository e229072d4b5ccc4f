import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  AdmissionWebhooks,
  lease,
  leasePath,
  patchWith,
  Registrations,
} from '../support/admission-webhook.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { configuration, jsonPatch, mutatingPolicy, validatingPolicy } from '../support/policies.ts';

/** Appends a letter to the annotation `trace`. */
const trace = (letter: string): object =>
  jsonPatch(
    `[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'trace': (has(object.metadata.annotations) ? object.metadata.annotations['trace'] : '') + '${letter}'}}]`,
  );

describe('MutatingAdmissionPolicy', () => {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  const registrations = new Registrations(() => plinth);
  const create = (spec: object = {}, metadata: object = {}): Promise<Reply> =>
    plinth.send('POST', `${leasePath()}?dryRun=All`, lease(metadata, spec));
  const apply = (...mutations: object[]): Promise<void> =>
    mutatingPolicy(registrations, 'p', mutations);

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

  it('ApplyConfiguration sets what it names and keeps the rest', async () => {
    const labels = "Object.metadata{labels: {'by': 'policy'}}";
    const spec = "Object.spec{holderIdentity: 'p'}";
    await apply(configuration(`Object{metadata: ${labels}, spec: ${spec}}`));
    const { status, json, text } = await create(
      { leaseDurationSeconds: 5 },
      { labels: { a: 'b' } },
    );
    assert.equal(status, 201, text);
    assert.deepEqual(json.metadata.labels, { a: 'b', by: 'policy' });
    assert.deepEqual(json.spec, { holderIdentity: 'p', leaseDurationSeconds: 5 });
  });

  it('ApplyConfiguration leaves out what an optional does not have', async () => {
    const spec = 'Object.spec{?holderIdentity: object.spec.?preferredHolder}';
    await apply(configuration(`Object{spec: ${spec}}`));
    assert.deepEqual((await create()).json.spec, {});
  });

  for (const [what, expression, told] of [
    ['a list that is a set', "Object{metadata: Object.metadata{finalizers: ['a/b']}}", undefined],
    [
      'a part at the wrong place',
      "Object{spec: Object.metadata{name: 'x'}}",
      /type mismatch: unexpected type name "Object.metadata", expected "Object.spec"/,
    ],
    ['a field that is not there', "Object{spec: Object.spec{nothing: 'x'}}", /nothing/],
    [
      'a field that the object does not have',
      'Object{spec: Object.spec{holderIdentity: object.spec.no}}',
      /no such key: no/,
    ],
  ] as const) {
    it(`ApplyConfiguration: ${what}`, async () => {
      await apply(configuration(expression));
      const { status, json } = await create();
      if (told === undefined) {
        assert.deepEqual(json.metadata.finalizers, ['a/b']);
        return;
      }
      assert.equal(status, 403);
      assert.match(json.message, /^policy 'p' with binding 'p' denied request: /);
      assert.match(json.message, told);
    });
  }

  it('JSONPatch, with keys that must be escaped', async () => {
    const escaped = "'/metadata/labels/' + jsonpatch.escapeKey('example.com/a')";
    await apply(
      jsonPatch(
        `[JSONPatch{op: 'add', path: '/metadata/labels', value: {}}, JSONPatch{op: 'add', path: ${escaped}, value: 'b'}]`,
      ),
    );
    assert.deepEqual((await create()).json.metadata.labels, { 'example.com/a': 'b' });
  });

  it('JSONPatch: a test that fails means that nothing is changed', async () => {
    const test = "JSONPatch{op: 'test', path: '/spec/leaseDurationSeconds', value: 7}";
    const add = "JSONPatch{op: 'add', path: '/spec/holderIdentity', value: 'seven'}";
    await apply(jsonPatch(`[${test}, ${add}]`));
    assert.equal((await create({ leaseDurationSeconds: 7 })).json.spec.holderIdentity, 'seven');
    const { status, json } = await create({ leaseDurationSeconds: 8 });
    assert.deepEqual([status, json.spec], [201, { leaseDurationSeconds: 8 }]);
  });

  it('JSONPatch that cannot be applied: Fail refuses, Ignore leaves the object', async () => {
    const broken = jsonPatch("[JSONPatch{op: 'remove', path: '/spec/holderIdentity'}]");
    await apply(broken);
    const { status, json } = await create();
    assert.deepEqual([status, json.reason], [403, 'Invalid']);
    await registrations.clear();
    await mutatingPolicy(registrations, 'p', [broken], { failurePolicy: 'Ignore' });
    assert.equal((await create()).status, 201);
  });

  it('mutations run in order and see what came before, policies by their names', async () => {
    await mutatingPolicy(registrations, 'b', [trace('c')]);
    await mutatingPolicy(registrations, 'a', [trace('a'), trace('b')]);
    assert.equal((await create()).json.metadata.annotations.trace, 'abc');
  });

  it('matchConditions and variables', async () => {
    await mutatingPolicy(
      registrations,
      'p',
      [configuration('Object{spec: Object.spec{holderIdentity: variables.who}}')],
      {
        variables: [{ name: 'who', expression: "'by ' + request.userInfo.username" }],
        matchConditions: [{ name: 'c', expression: '!has(object.spec.holderIdentity)' }],
      },
    );
    assert.equal((await create()).json.spec.holderIdentity, 'by admin');
    assert.equal((await create({ holderIdentity: 'me' })).json.spec.holderIdentity, 'me');
  });

  it('what it makes is validated: by the kind and by validating policies', async () => {
    await apply(configuration('Object{spec: Object.spec{leaseDurationSeconds: -1}}'));
    const { status, json } = await create();
    assert.deepEqual([status, json.details.causes[0].field], [422, 'spec.leaseDurationSeconds']);
    await registrations.clear();
    await apply(configuration('Object{spec: Object.spec{leaseDurationSeconds: 30}}'));
    const validations = [{ expression: 'object.spec.leaseDurationSeconds < 20' }];
    await validatingPolicy(registrations, 'v', { validations });
    assert.equal((await create({ leaseDurationSeconds: 5 })).status, 422);
  });

  it('comes before webhooks, and IfNeeded runs it again after one changed the object', async () => {
    webhooks.on('/w', ({ object }) =>
      patchWith({
        op: 'replace',
        path: '/metadata/annotations',
        value: { trace: `${object.metadata.annotations.trace}w` },
      }),
    );
    for (const [reinvocationPolicy, wanted] of [
      ['Never', 'pw'],
      ['IfNeeded', 'pwp'],
    ] as const) {
      await mutatingPolicy(registrations, 'p', [trace('p')], { reinvocationPolicy });
      await registrations.webhooks('mutating', 'w', webhooks.hook('/w'));
      assert.equal((await create()).json.metadata.annotations.trace, wanted);
      await registrations.clear();
    }
  });
});
