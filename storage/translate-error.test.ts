import assert from 'node:assert/strict';
import { ApiError } from '../api/api-error.ts';
import { StoreError, type StoreErrorCode } from './errors.ts';
import { World } from '../test/support/world.ts';
import { revisionOf } from '../api/revision.ts';
import { failureOf } from '../watch/failures.ts';
import { translateStoreError } from './translate-error.ts';

const CODES: Record<StoreErrorCode, number> = {
  compacted: 410,
  futureRevision: 504,
  tooLarge: 413,
  outOfSpace: 507,
  timeout: 504,
  cancelled: 504,
  unavailable: 503,
  reset: 503,
  denied: 500,
  corrupt: 500,
};

describe('a failure of the store', () => {
  for (const [code, status] of Object.entries(CODES) as [StoreErrorCode, number][]) {
    it(`is answered ${status} when it is ${code}`, () => {
      const error = translateStoreError(new StoreError(code, 'why'));
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, status);
    });
  }

  it('means the same to a stream, which names its revision when that is too old', () => {
    const [at, present] = [revisionOf(3n), revisionOf(9n)];
    for (const [code, status] of Object.entries(CODES) as [StoreErrorCode, number][]) {
      assert.equal(failureOf(new StoreError(code, 'why'), at, present).code, status);
    }
    const tooOld = failureOf(new StoreError('compacted', 'why'), at, present);
    assert.equal(tooOld.message, 'too old resource version: 3 (9)');
  });

  it('leaves the registry as it is, and is translated at the edge only', async () => {
    const world = new World();
    const failure = new StoreError('unavailable', 'gone');
    const server = await world.server();
    world.store.create = () => Promise.reject(failure);
    await assert.rejects(server.namespace('team'), (thrown) => thrown === failure);
    await world.stop();
  });
});
