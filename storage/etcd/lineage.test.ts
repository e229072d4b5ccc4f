import assert from 'node:assert/strict';
import { NO_REVISION, revisionOf } from '../../api/revision.ts';
import { isStoreError, type StoreError } from '../errors.ts';
import { Lineage } from './lineage.ts';

const header = (revision: bigint, clusterId = 1n): { revision: bigint; clusterId: bigint } => {
  return { revision, clusterId };
};

function resetBy(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch (error) {
    return isStoreError(error, 'reset');
  }
}

describe('lineage', () => {
  it('accepts responses that arrive out of order', () => {
    const lineage = new Lineage();
    const floor = lineage.highest;
    assert.equal(lineage.observe(header(9n), floor), 9n);
    // Asked before the other one was answered.
    assert.equal(lineage.observe(header(8n), floor), 8n);
    assert.equal(lineage.highest, 9n);
  });

  it('detects a response that is older than the revision known before the request', () => {
    const lineage = new Lineage();
    const told: StoreError[] = [];
    const stop = lineage.onReset((error) => told.push(error));
    lineage.observe(header(9n), NO_REVISION);
    assert.ok(resetBy(() => lineage.observe(header(8n), lineage.highest)));
    assert.equal(told.length, 1);
    // From now on the other history is the known one.
    assert.equal(lineage.observe(header(8n), lineage.highest), 8n);
    stop();
    lineage.reset('again');
    assert.equal(told.length, 1);
  });

  it('detects another cluster', () => {
    const lineage = new Lineage();
    lineage.observe(header(9n), NO_REVISION);
    assert.equal(lineage.isKnownCluster(header(1n, 2n)), false);
    assert.ok(resetBy(() => lineage.observe(header(100n, 2n), revisionOf(9n))));
    assert.equal(lineage.isKnownCluster(header(1n, 2n)), true);
    assert.equal(lineage.highest, 100n);
  });
});
