import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { AdmissionWebhooks, patchWith, Registrations } from '../support/admission-webhook.ts';
import { install } from '../support/custom.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { configuration, jsonPatch, mutatingPolicy } from '../support/policies.ts';

const WIDGETS = {
  matchConstraints: {
    resourceRules: [
      {
        operations: ['CREATE'],
        apiGroups: ['test.example.com'],
        apiVersions: ['v1'],
        resources: ['widgets'],
      },
    ],
  },
};

const SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
    },
  },
};

describe('mutating policies on custom objects', () => {
  let plinth: Plinth;
  let path = '';
  let made = 0;
  const registrations = new Registrations(() => plinth);
  const policy = (mutation: object, spec: object = {}): Promise<void> =>
    mutatingPolicy(registrations, 'p', [mutation], { ...WIDGETS, ...spec });
  const create = (spec: object): Promise<Reply> =>
    plinth.send('POST', path, {
      apiVersion: 'test.example.com/v1',
      kind: 'Widget',
      metadata: { name: `w${made++}` },
      spec,
    });

  before(async () => {
    plinth = await Plinth.start();
    path = await install(plinth, { plural: 'widgets', kind: 'Widget', schema: SCHEMA });
  });
  after(() => plinth.dispose());
  afterEach(() => registrations.clear());

  it('ApplyConfiguration: refuses an object that does not fit its schema instead of repairing it', async () => {
    await policy(configuration("Object{spec: Object.spec{a: 'x'}}"));
    const { status, json } = await create({ a: [1] });
    assert.equal(status, 403);
    assert.match(json.message, /original object to typed object: \.spec\.a: expected string, got/);
    assert.equal((await create({ a: 'y' })).json.spec.a, 'x');
  });

  it('ApplyConfiguration: null is an error, which failurePolicy Ignore skips', async () => {
    const nothing = configuration('Object{spec: Object.spec{a: null}}');
    await policy(nothing, { failurePolicy: 'Ignore' });
    const { status, json } = await create({ a: 'y' });
    assert.deepEqual([status, json.spec], [201, { a: 'y' }]);
    await registrations.clear();
    await policy(nothing);
    const refused = await create({ a: 'y' });
    assert.equal(refused.status, 403);
    assert.match(refused.json.message, /\.spec\.a: null/);
  });

  it('IfNeeded runs a policy again for its own change, Never does not', async () => {
    const more = configuration('Object{spec: Object.spec{b: object.spec.b + 1}}');
    for (const [reinvocationPolicy, wanted] of [
      ['IfNeeded', 6],
      ['Never', 5],
    ] as const) {
      await policy(more, { reinvocationPolicy });
      assert.equal((await create({ b: 4 })).json.spec.b, wanted);
      await registrations.clear();
    }
  });

  it('a webhook that writes labels of a wrong type: the labels are dropped', async () => {
    const webhooks = await AdmissionWebhooks.start();
    const labels = { op: 'add', path: '/metadata/labels', value: { app: 7 } };
    webhooks.on('/a', () => patchWith(labels));
    const { resourceRules: rules } = WIDGETS.matchConstraints;
    await registrations.webhooks('mutating', 'w', webhooks.hook('/a', { rules }));
    const { status, json } = await create({ a: 'y' });
    await webhooks.close();
    assert.deepEqual([status, json.metadata.labels, json.spec], [201, undefined, { a: 'y' }]);
  });

  it('an object whose kind was changed is invalid, whatever the failurePolicy', async () => {
    const renamed = jsonPatch("[JSONPatch{op: 'replace', path: '/kind', value: 'Other'}]");
    await policy(renamed, { failurePolicy: 'Ignore' });
    const { status, json } = await create({});
    assert.deepEqual([status, json.details.causes[0].field], [422, 'kind']);
  });
});
