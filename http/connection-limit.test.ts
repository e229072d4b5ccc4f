import assert from 'node:assert/strict';
import { connectionBound } from './connection-limit.ts';

describe('the bound of connections', () => {
  it('leaves files for everything else', () => {
    for (const [openFiles, connections] of [
      [256, 192],
      [1_024, 768],
      [20_000, 18_976],
      [40, 1],
    ] as const) {
      assert.deepEqual(connectionBound(openFiles), { connections, openFiles });
    }
  });

  it('is that of the server where the system allows more, or does not say', () => {
    assert.deepEqual(connectionBound(65_536), { connections: 50_000 });
    assert.deepEqual(connectionBound(Number.POSITIVE_INFINITY), { connections: 50_000 });
  });

  it('is taken from the system', () => {
    assert.ok(connectionBound().connections > 0);
  });
});
