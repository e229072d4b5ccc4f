import assert from 'node:assert/strict';
import { ApiError } from '../api/api-error.ts';
import type { ObjectMeta } from '../api/object.ts';
import { leaseDefinition } from '../resources/coordination/lease.ts';
import { ALL_FEATURE_GATES } from '../resources/feature-gates.ts';
import { refuseLargeMetadata } from './metadata-bounds.ts';
import { servedResource } from './served-resource.ts';

const definition = leaseDefinition(ALL_FEATURE_GATES);
const leases = servedResource(definition, definition.versions[0]!);

const entries = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));

function refused(metadata: ObjectMeta, old?: ObjectMeta): string[] {
  try {
    refuseLargeMetadata(leases, metadata, old);
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 422);
    return (error.status.details?.causes ?? []).map(({ field }) => field ?? '');
  }
}

describe('metadata with more entries than any object needs', () => {
  it('is refused, with every field that has too many', () => {
    assert.deepEqual(refused({ name: 'a', labels: entries(1_000) }), []);
    assert.deepEqual(refused({ name: 'a', labels: entries(1_001) }), ['metadata.labels']);
    assert.deepEqual(
      refused({
        name: 'a',
        labels: entries(1_001),
        annotations: entries(5_001),
        finalizers: Object.keys(entries(1_001)),
      }),
      ['metadata.labels', 'metadata.annotations', 'metadata.finalizers'],
    );
  });

  it('stays where an object has it already, and may shrink, not grow', () => {
    const old = { labels: entries(2_000) };
    assert.deepEqual(refused({ labels: entries(2_000) }, old), []);
    assert.deepEqual(refused({ labels: entries(1_500) }, old), []);
    assert.deepEqual(refused({ labels: entries(2_001) }, old), ['metadata.labels']);
  });
});
