import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Space } from './space.ts';
import type { Environment } from './environment.ts';

describe('the room that the embedded store has', () => {
  it('answers writers when the disk cannot be asked any more', () => {
    const directory = mkdtempSync(join(tmpdir(), 'plinth-space-'));
    const environment = { usedBytes: () => 0 } as unknown as Environment;
    const space = new Space(directory, environment, 1_000_000_000);
    assert.equal(space.room()(1), undefined);
    rmSync(directory, { recursive: true });
    assert.equal(space.room()(1)?.code, 'unavailable');
  });
});
