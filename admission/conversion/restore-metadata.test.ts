import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { restoreMetadata } from './restore-metadata.ts';

const original = (): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Gadget',
  metadata: {
    name: 'a',
    namespace: 'n',
    uid: 'u',
    resourceVersion: '7',
    finalizers: ['f'],
    labels: { 'Not A Label': 'kept', b: 'c' },
    annotations: { note: 'x' },
  },
});
const converted = (metadata: unknown): JsonObject =>
  ({ apiVersion: 'example.com/v2', kind: 'Gadget', metadata }) as JsonObject;
const same = { name: 'a', namespace: 'n', uid: 'u' };

describe('metadata of a converted object', () => {
  it('is the original metadata except for labels and annotations', () => {
    const answer = converted({
      ...same,
      resourceVersion: '99',
      finalizers: [],
      generation: 5,
      labels: { new: 'label' },
      annotations: { note: 'y' },
    });
    const result = restoreMetadata(original(), answer);
    assert.ok(result.ok);
    assert.deepEqual(result.object.metadata, {
      ...same,
      resourceVersion: '7',
      finalizers: ['f'],
      labels: { new: 'label' },
      annotations: { note: 'y' },
    });
  });

  it('loses labels that the webhook dropped', () => {
    const result = restoreMetadata(original(), converted(same));
    assert.ok(result.ok);
    assert.equal(result.object.metadata.labels, undefined);
  });

  it('keeps name, namespace and uid, or the conversion is refused', () => {
    for (const change of [{ name: 'b' }, { namespace: 'm' }, { uid: 'v' }]) {
      const result = restoreMetadata(original(), converted({ ...same, ...change }));
      assert.ok(!result.ok, JSON.stringify(change));
      assert.equal(result.what, 'object');
      assert.match(result.why, new RegExp(`same ${Object.keys(change)[0]!}`));
    }
  });

  it('does not change thousands of labels or annotations', () => {
    const entries = (count: number, value: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
    for (const field of ['labels', 'annotations']) {
      const before = original();
      Object.assign(before.metadata, { [field]: entries(6_000, 'x') });
      const changed = (count: number): JsonObject =>
        converted({ ...same, [field]: { ...entries(6_000, 'x'), ...entries(count, 'y') } });
      assert.ok(restoreMetadata(before, changed(5_000)).ok, field);
      const result = restoreMetadata(before, changed(5_001));
      assert.ok(!result.ok, field);
      assert.equal(result.why, `metadata.${field} must not have more than 5000 new entries`);
    }
  });

  it('accepts invalid labels that the object already has, and refuses new ones', () => {
    const labels = { 'Not A Label': 'kept', b: 'c' };
    assert.ok(restoreMetadata(original(), converted({ ...same, labels })).ok);
    for (const wrong of [{ 'Not A Label': 'changed' }, { 'Another One!': 'x' }, { b: 3 }, 'text']) {
      const result = restoreMetadata(original(), converted({ ...same, labels: wrong }));
      assert.ok(!result.ok, JSON.stringify(wrong));
      assert.equal(result.what, 'metadata');
    }
  });
});
