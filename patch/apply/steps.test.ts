import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { list, map, string, struct, use } from '../../schema/dsl.ts';
import { kind as kindSchema } from '../../schema/object-meta.ts';
import { mergeSchemaOf } from '../merge-schema-of.ts';
import { applySteps, type Apply } from './apply-configuration.ts';
import { applyConfiguration } from './apply-configuration-at-once.ts';
import { atOnce, withRests, type Steps } from '../../api/steps.ts';
import { updateSteps } from './update-managers.ts';
import { updateManagers } from './update-managers-at-once.ts';
import type { ManagedKind } from './versions.ts';

const schema = mergeSchemaOf(
  kindSchema('test.v1.Large', {
    spec: use(struct('test.v1.LargeSpec', { data: map(string()), names: list(string()) }), {}),
  }),
);
const kind: ManagedKind = {
  apiVersion: 'test/v1',
  kind: 'Large',
  subresource: '',
  schemaFor: () => schema,
  convert: () => ({ kind: 'unknown-version' }),
  empty: { apiVersion: 'test/v1', kind: 'Large' },
  resetFields: new Map(),
};

function large(value: string, count = 50): JsonObject {
  const data = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
  return { apiVersion: 'test/v1', kind: 'Large', metadata: { name: 'l' }, spec: { data } };
}

describe('steps on a large object', () => {
  const plain = { kind, live: undefined, manager: 'm', now: 60_000 };
  const live = large('1');
  (live['metadata'] as JsonObject)['managedFields'] = updateManagers({
    ...plain,
    next: large('1'),
  });
  const apply = (applied: JsonObject, on?: JsonObject): Apply => ({
    ...{ kind, live: on, applied, manager: 'a', force: true, now: 60_000 },
  });

  /** With rests the result is the same; says how many rests there were. */
  async function rests<T>(make: () => Steps<T>): Promise<number> {
    let count = 0;
    const rest = async (): Promise<void> => {
      count++;
      await Promise.resolve();
    };
    assert.deepEqual(await withRests(make(), rest), atOnce(make()));
    return count;
  }

  it('take one turn each: the owners of a new and of a changed object', async () => {
    const next = { ...large('2'), metadata: live['metadata'] as JsonObject };
    assert.ok((await rests(() => updateSteps({ ...plain, next: large('1') }))) >= 5);
    assert.ok((await rests(() => updateSteps({ ...plain, live, next }))) >= 9);
  });

  it('take one turn each: an apply by another manager, and an apply that gives up fields', async () => {
    assert.ok((await rests(() => applySteps(apply(large('2'), live)))) >= 12);
    const own = applyConfiguration(apply(large('1')));
    assert.ok(own.ok);
    const mine: JsonObject = {
      ...own.object,
      metadata: { name: 'l', managedFields: own.managedFields as unknown as JsonObject[] },
    };
    assert.ok((await rests(() => applySteps(apply(large('1', 20), mine)))) >= 20);
  });

  it('are bounded where one manager has many fields, for reading, reconciling and removing fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f:k${i}`, {}]));
    const entry = {
      ...{ manager: 'other', operation: 'Update', apiVersion: 'test/v1' },
      ...{ fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:data': fields } } },
    };
    const of = (value: string): JsonObject => ({
      ...large(value),
      metadata: { name: 'l', managedFields: [entry] },
    });
    const few = await rests(() => updateSteps({ ...plain, live, next: large('2') }));
    const many = await rests(() => updateSteps({ ...plain, live: of('1'), next: of('2') }));
    // each of the four looks at all of them, a thousand in a step; without one of them there are 20 fewer
    assert.ok(many >= few + 3 * 20, `${many} and ${few}`);
  });
});
