import assert from 'node:assert/strict';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';
import { withRests, type Steps } from '../../api/steps.ts';
import { typeWarningSteps } from '../../admission/policies/type-check.ts';
import { DYN } from '../../cel/value/type.ts';
import { viewSteps } from '../../patch/apply/view.ts';
import { removeSteps } from '../../patch/apply/remove.ts';
import { heldSteps } from '../../patch/apply/held-fields.ts';
import type { FieldSet } from '../../patch/apply/field-set.ts';
import { mergeSchemaOf } from '../../patch/merge-schema-of.ts';
import { configMapDefinition } from '../../resources/core/config-map.ts';
import { secretDefinition } from '../../resources/core/secret.ts';
import { aggregatableRole, aggregationSteps } from '../../resources/rbac/role-aggregation.ts';
import { servedVersion } from '../../resources/testing/harness.ts';
import { servedSteps } from '../../storage/stored-bytes.ts';

/*
 * Work that once held the event loop for too long, one row for each: requests, by
 * the CPU of their longest turn as in bodies.test.ts, and parts of requests, by
 * the steps in which they are done.
 */
const MAPS = '/api/v1/namespaces/default/configmaps';
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const POLICIES = '/apis/admissionregistration.cluster.io/v1/validatingadmissionpolicies';
const STRATEGIC_TYPE = { 'content-type': 'application/strategic-merge-patch+json' };
const JSON_PATCH_TYPE = { 'content-type': 'application/json-patch+json' };
const KEYS = 40_000;
/** Enough that several of them in one turn are seen. */
const OBJECTS = 10;

const keys = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));

const GROUP = 'table.example.com';
const THINGS = `/apis/${GROUP}/v1/namespaces/default/things`;
const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.cluster.io' };
const DEFINITION = {
  metadata: { name: `things.${GROUP}` },
  spec: {
    ...{ group: GROUP, scope: 'Namespaced' },
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', additionalProperties: { type: 'string' } } },
          },
        },
      },
    ],
  },
};

/** `send` is called a few times, each time with another number. */
type Row = readonly [what: string, code: number, send: (attempt: number) => Promise<Reply>];

describe('a turn of the event loop is short for', function () {
  const turns = new Turns();
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs });
    for (let i = 0; i < OBJECTS; i++) {
      const metadata = { name: `m${i}`, labels: { of: 'reads' } };
      const { status } = await plinth.send('POST', MAPS, { metadata, data: keys(KEYS, 'x') });
      assert.equal(status, 201);
    }
  });
  after(() => plinth.dispose());

  const list = (query: string): Promise<Reply> =>
    plinth.get(`${MAPS}?labelSelector=of%3Dreads&${query}`);
  /** Twenty rules on every key of ConfigMaps; in force when this returns. */
  const addPolicy = async (): Promise<void> => {
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'] };
    const validations = Array.from({ length: 20 }, (_, i) => ({
      expression: `!has(object.data) || object.data.all(k, k != 'bad${i}')`,
    }));
    const matchConstraints = { resourceRules: [{ ...rule, resources: ['configmaps'] }] };
    const spec = { failurePolicy: 'Fail', matchConstraints, validations };
    const made = await plinth.send('POST', POLICIES, { metadata: { name: 'keys' }, spec });
    assert.equal(made.status, 201, made.text);
    const binding = { policyName: 'keys', validationActions: ['Deny'] };
    await plinth.send('POST', POLICIES.replace('policies', 'policybindings'), {
      metadata: { name: 'keys' },
      spec: binding,
    });
    const bad = { metadata: { name: 'bad' }, data: { bad0: '' } };
    await eventually(async () => {
      return (await plinth.send('POST', `${MAPS}?dryRun=All`, bad)).status === 422;
    }, 'the policy is in force');
  };
  const rows: readonly Row[] = [
    [
      'a patch that deletes thousands of items by their keys',
      200,
      async (i) => {
        const secrets = Array.from({ length: 9_000 }, (_, k) => ({ name: `s${k}` }));
        const name = `account-${i}`;
        await plinth.send('POST', ACCOUNTS, { metadata: { name }, secrets });
        const deleted = secrets.map((secret) => ({ $patch: 'delete', ...secret }));
        return plinth.send('PATCH', `${ACCOUNTS}/${name}`, { secrets: deleted }, STRATEGIC_TYPE);
      },
    ],
    [
      'a patch that moves a large part ten thousand times',
      200,
      () => {
        const there = { op: 'move', from: '/data', path: '/x' };
        const back = { op: 'move', from: '/x', path: '/data' };
        const moves = Array.from({ length: 9_998 }, (_, i) => (i % 2 === 0 ? there : back));
        return plinth.send('PATCH', `${MAPS}/m0?dryRun=All`, moves, JSON_PATCH_TYPE);
      },
    ],
    [
      'the expressions of a policy over a large object',
      201,
      async (i) => {
        if (i === 0) await addPolicy();
        const metadata = { name: `judged-${i}` };
        return plinth.send('POST', MAPS, { metadata, data: keys(KEYS, 'x') });
      },
    ],
    [
      'a table of custom objects that are shown for the first time',
      200,
      async (i) => {
        if (i === 0) {
          await plinth.send('POST', DEFINITIONS, DEFINITION);
          await eventually(async () => (await plinth.get(THINGS)).status === 200, 'it is served');
        }
        for (const part of ['a', 'b', 'c']) {
          const metadata = { name: `${part}${i}`, labels: { try: `t${i}` } };
          const type = { apiVersion: `${GROUP}/v1`, kind: 'Thing' };
          await plinth.send('POST', THINGS, { ...type, metadata, spec: keys(KEYS, 'x') });
        }
        return plinth.get(`${THINGS}?labelSelector=try%3Dt${i}`, TABLE);
      },
    ],
    ['one field of large objects', 200, (i) => list(`fields=data.k${i}`)],
    ['a part of an object that is most of it', 200, (i) => list(`fields=data&limit=${i + 2}`)],
    ['the changes of one field', 200, (i) => list(`watch=1&timeoutSeconds=1&fields=data.k${i}`)],
    ['the deletion of large objects', 200, () => plinth.send('DELETE', `${MAPS}?dryRun=All`)],
  ];
  for (const [what, code, send] of rows) {
    it(what, async () => {
      await turns.areShortFor(code, send);
    });
  }
});

describe('others have their turn during', () => {
  const object = <T extends object>(content: T) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    ...content,
  });
  const schema = mergeSchemaOf(servedVersion(configMapDefinition).schema());
  const map = object({ data: keys(KEYS, 'x') });
  const fields: FieldSet = {
    'f:data': Object.fromEntries(Object.keys(map.data).map((key) => [`f:${key}`, {}])),
  };
  const rules = Array.from({ length: KEYS }, (_, i) => ({
    ...{ apiGroups: [''], resources: [`r${i}`], verbs: ['get'] },
  }));
  const part = aggregatableRole('part', { of: 'it' }, { rules });
  const whole = aggregatableRole(
    'whole',
    {},
    {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { of: 'it' } }] },
    },
  );

  const rows: readonly (readonly [what: string, steps: () => Steps<unknown>])[] = [
    [
      'making data of the texts of a Secret',
      () => {
        const { codec } = servedVersion(secretDefinition);
        return codec.defaultSteps!(object({ stringData: keys(KEYS, 'x') }))!;
      },
    ],
    ['finding what an apply gives up', () => viewSteps(schema, map, fields, {})],
    ['taking out what it gives up', () => removeSteps(schema, map, fields)],
    ['finding what others hold of it', () => heldSteps(schema, map, fields)],
    ['putting a role together from others', () => aggregationSteps(whole, [part, whole])],
    ['writing the answer of a dry run', () => servedSteps(map)],
    [
      'looking at what a policy asks of its kinds',
      () => {
        const validations = Array.from({ length: KEYS / 10_000 }, () => ({ expression: 'true' }));
        const resources = Array.from({ length: 10 }, (_, i) => `things${i}`);
        const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources };
        const spec = { matchConstraints: { resourceRules: [rule] }, validations };
        return typeWarningSteps(spec, {
          ofResource: (_group, _version, name) => ({ name, object: DYN }),
          ofKind: () => undefined,
        });
      },
    ],
  ];
  for (const [what, steps] of rows) {
    it(what, async () => {
      let rests = 0;
      // oxlint-disable-next-line typescript/require-await -- it only counts
      await withRests(steps(), async () => void rests++);
      assert.ok(rests >= KEYS / 1_000 - 1, `${rests}`);
    });
  }
});
