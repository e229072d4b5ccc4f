import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Plinth } from '../support/plinth.ts';
import { blocksOf, ROOT, type } from './blocks.ts';

const PAGE = 'docs/quick-start.md';
const HERE = 'test/docs/quick-start.test.ts';

describe(PAGE, function () {
  it('has a test for every block of commands', () => {
    const others = blocksOf(PAGE).filter(({ executedBy }) => executedBy !== HERE);
    assert.deepEqual(
      others.map(({ commands, executedBy }) => [commands, executedBy]),
      [['npm ci && npm start', 'test/docs/readme.test.ts']],
    );
  });

  it('leads from the start of the server to a working controller', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'plinth-test-'));
    const plinth = await Plinth.start();
    try {
      symlinkSync(plinth.dataDir, join(scratch, 'data'));
      for (const name of ['examples', 'node_modules', 'package.json']) {
        symlinkSync(join(ROOT, name), join(scratch, name));
      }
      const commands = blocksOf(PAGE)
        .filter(({ executedBy }) => executedBy === HERE)
        .map((block) => block.commands)
        .join('\n');
      const printed = await type(commands, {
        cwd: scratch,
        env: { HOME: scratch },
        // Background jobs end with the shell, also after a failure.
        prelude: `trap 'kill $(jobs -p)' EXIT`,
      });
      for (const line of [
        'not in team-b',
        'refused: storage cannot shrink',
        'ready: team-a/orders',
      ]) {
        assert.ok(printed.includes(line), `${line}\n${printed}`);
      }
    } finally {
      await plinth.dispose();
      rmSync(scratch, { recursive: true, force: true });
    }
  });
});
