import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Plinth } from '../support/plinth.ts';
import { blocksOf, type } from './blocks.ts';

const PAGE = 'docs/queries.md';
const HERE = 'test/docs/queries.test.ts';

describe(PAGE, function () {
  it('shows commands that work, and a test for each', async () => {
    const blocks = blocksOf(PAGE);
    assert.deepEqual(
      blocks.filter(({ executedBy }) => executedBy !== HERE),
      [],
    );
    const scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
    const plinth = await Plinth.start();
    try {
      symlinkSync(plinth.dataDir, join(scratch, 'data'));
      const commands = blocks.map((block) => block.commands).join('\n');
      const printed = await type(commands, { cwd: scratch, env: { HOME: scratch } });
      for (const part of [
        'lease.coordination.cluster.io/blue\nlease.coordination.cluster.io/red\n',
        '"count":3}',
        '"groups":[{"value":4,"count":1},{"value":5,"count":1},{"value":3,"count":1}],"others":0}',
        '"remainingItemCount":1',
        '"spec":{"holderIdentity":"owner-of-green"}}',
        '"kind": "LeaseList"',
        '"kind":"Snapshot"',
        '{"id":"maps","type":"ADDED",',
        '{"id":"long","type":"BOOKMARK",',
      ]) {
        assert.ok(printed.includes(part), `${part}\n${printed}`);
      }
    } finally {
      await plinth.dispose();
      rmSync(scratch, { recursive: true, force: true });
    }
  });
});
