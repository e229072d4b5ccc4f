import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../api/json.ts';
import { mergeSchemaOf } from './merge-schema-of.ts';
import { applyStrategicMergePatch } from './strategic-at-once.ts';
import { list, string, struct } from '../schema/dsl.ts';
import { kind } from '../schema/object-meta.ts';

const schema = mergeSchemaOf(
  kind('test.v1.Hooks', {
    hooks: list(struct('test.v1.Hook', { name: string({ required: true }), url: string() }), {
      listType: 'map',
      listMapKeys: ['name'],
      patchStrategy: 'merge',
      patchMergeKey: 'name',
    }),
  }),
);

describe('strategic merge patch: $setElementOrder', () => {
  const hook = (name: string): JsonObject => ({ name });
  const gone = (name: string): JsonObject => ({ $patch: 'delete', name });
  const patched = (live: string[], order: string[], ...items: JsonObject[]): string[] => {
    const patch = { '$setElementOrder/hooks': order.map(hook), hooks: items };
    const outcome = applyStrategicMergePatch(schema, { hooks: live.map(hook) }, patch);
    assert.ok(outcome.ok);
    return (outcome.value['hooks'] as JsonValue[]).map((item) => (item as { name: string }).name);
  };

  it('puts new items before those that it does not name', () => {
    assert.deepEqual(patched(['a', 'b', 'other'], ['b', 'new'], hook('new')), [
      'a',
      'b',
      'new',
      'other',
    ]);
  });

  it('puts new items last, as many as take the places of deleted ones', () => {
    const live = ['a', 'b', 'other'];
    assert.deepEqual(patched(live, ['b', 'new'], hook('new'), gone('a')), ['b', 'other', 'new']);
    assert.deepEqual(
      patched(live, ['b', 'new', 'newer'], hook('new'), hook('newer'), gone('a'), gone('x')),
      ['b', 'other', 'new', 'newer'],
    );
    assert.deepEqual(
      patched(live, ['newer', 'new', 'b'], hook('newer'), hook('new'), gone('a'), gone('b')),
      ['other', 'newer', 'new'],
    );
  });
});
