import assert from 'node:assert/strict';
import { apiObjectOf } from '../api/object.ts';
import { Warnings } from '../api/warnings.ts';
import { dedupOwners } from './owners.ts';
import type { WriteRequest } from './write-request.ts';

const owner = (uid: string): Record<string, string> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: uid,
  uid,
});

function deduped(uids: readonly string[]): { uids: string[]; warnings: number } {
  const object = apiObjectOf({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ownerReferences: uids.map(owner) },
  });
  const warnings = new Warnings();
  dedupOwners(object, { context: { warnings } } as unknown as WriteRequest, false);
  const references = object.metadata.ownerReferences ?? [];
  return { uids: references.map(({ uid }) => uid), warnings: warnings.headers().length };
}

describe('owners of an object', () => {
  it('are kept once, and the client is warned of those that were named twice', () => {
    assert.deepEqual(deduped(['a', 'b']), { uids: ['a', 'b'], warnings: 0 });
    assert.deepEqual(deduped(['a', 'b', 'a', 'a']), { uids: ['a', 'b'], warnings: 1 });
    assert.deepEqual(deduped([]), { uids: [], warnings: 0 });
  });
});
