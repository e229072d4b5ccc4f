import assert from 'node:assert/strict';
import { deepClone, type JsonObject } from '../../api/json.ts';
import { applyMergePatch } from '../../patch/merge-patch-at-once.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { CRDS } from '../support/custom.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { collectionOf, itemOf, NAMESPACE_OBJECT, objectOf } from './objects.ts';
import { KINDS } from './operations.ts';
import { CORE_RULES } from './rules/core.ts';
import { EXTENSION_RULES } from './rules/extension.ts';
import { NODE_RULES } from './rules/nodes.ts';
import type { Rule, Rules } from './rules/rule.ts';
import { WEBHOOK_RULES } from './rules/webhooks.ts';

const GATES =
  'CoordinatedLeaderElection=true,DynamicResourceAllocation=true,TaintTolerationComparisonOperators=true';
const ALL: Rules = { ...CORE_RULES, ...NODE_RULES, ...EXTENSION_RULES, ...WEBHOOK_RULES };

describe('the rules of the specification', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: ['--feature-gates', GATES] });
    await plinth.send('POST', '/api/v1/namespaces', NAMESPACE_OBJECT);
  });
  after(() => plinth.dispose());

  for (const [kind, rules] of Object.entries(ALL)) {
    describe(kind, () => {
      const resource = KINDS.find((each) => each.kind.kind === kind);
      assert.ok(resource, kind);
      for (const rule of rules) {
        it(rule.rule, async () => {
          const reply = await send(plinth, resource, rule);
          if (rule.refused !== undefined) assertRefused(reply, rule.refused);
          else if (rule.unreadable !== undefined) {
            assert.equal(reply.status, 400, reply.text);
            assert.match(reply.json.message, rule.unreadable);
          } else {
            assert.ok(reply.status === 200 || reply.status === 201, reply.text);
            const [path, value] = rule.answers ?? [[], reply.json];
            assert.deepEqual(
              path.reduce((at, key) => at?.[key], reply.json),
              value,
            );
          }
        });
      }
    });
  }
});

function assertRefused({ status, json, text }: Reply, field: string): void {
  assert.equal(status, 422, text);
  assert.equal(json.reason, 'Invalid');
  const fields = json.details.causes.map((cause: any) => cause.field);
  assert.ok(fields.includes(field), `${field} is not among ${fields.join()}: ${json.message}`);
}

/** A dry run of the sample with the change: nothing of it stays, and others are not disturbed. */
async function send(plinth: Plinth, resource: ServedResource, rule: Rule): Promise<Reply> {
  const sample = objectOf(resource);
  const { name } = sample['metadata'] as { name: string };
  if (rule.update === undefined) {
    const metadata = {
      ...(sample['metadata'] as object),
      name: rule.name ?? fresh(resource, name),
    };
    const body = changed({ ...sample, metadata }, rule.with);
    return plinth.send('POST', `${collectionOf(resource)}?dryRun=All`, body);
  }
  await plinth.send('POST', collectionOf(resource), sample); // unless it is there already
  if (resource.kind.kind === 'CustomResourceDefinition') await established(plinth, name);
  const path = `${itemOf(resource, name)}${rule.update === 'status' ? '/status' : ''}`;
  let reply: Reply | undefined;
  await eventually(async () => {
    const { json } = await plinth.get(itemOf(resource, name));
    reply = await plinth.send('PUT', `${path}?dryRun=All`, changed(json, rule.with));
    // a loop of the server may have been quicker
    return reply.status !== 409;
  }, 'an update without a conflict');
  return reply!;
}

/** From then on its objects are served, and what they depend on stays. */
function established(plinth: Plinth, name: string): Promise<void> {
  return eventually(async () => {
    const { json } = await plinth.get(`${CRDS}/${name}`);
    const conditions: any[] = json.status.conditions ?? [];
    return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  }, `${name} is established`);
}

/** Another name, where the name says nothing about the object: the sample is there already. */
function fresh({ kind }: ServedResource, name: string): string {
  const isFixed = ['APIService', 'CustomResourceDefinition', 'IPAddress'].includes(kind.kind);
  return isFixed ? name : 'another';
}

function changed(object: JsonObject, change: JsonObject): JsonObject {
  const copy = deepClone(object);
  return applyMergePatch(copy, change) as JsonObject;
}
