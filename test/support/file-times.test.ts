import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileTimesIn, withoutFileTimes } from './file-times.ts';

/** Waits for a process that takes half a second of CPU. */
const WORKING = `
import { spawnSync } from 'node:child_process';
describe('work', () => {
  it('is done elsewhere', () => {
    const work = 'while (process.cpuUsage().user < 500_000);';
    spawnSync(process.execPath, ['-e', work]);
  });
});
`;

describe('the times of test files', () => {
  it('count the CPU of the processes that a file starts, and stand at the end of a run', () => {
    const scratch = mkdtempSync(join(tmpdir(), 'plinth-times-'));
    try {
      const file = join(scratch, 'working.test.mjs');
      writeFileSync(file, WORKING);
      const main = join(import.meta.dirname, '..', 'main.ts');
      const { stdout } = spawnSync(process.execPath, ['--import=tsx', main, file], {
        encoding: 'utf8',
      });
      const [, cpu] = /s +([\d.]+) s of CPU: .*working\.test\.mjs/.exec(stdout) ?? [];
      assert.ok(Number(cpu) >= 0.5, stdout);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });

  it('are read from what mocha prints, and kept out of the failures', () => {
    const output = '  1 failing\ntook 12.3 s, 4.5 s of CPU: api/ip.test.ts\nthe end\n';
    assert.deepEqual(fileTimesIn(output), [{ file: 'api/ip.test.ts', elapsed: 12.3, cpu: 4.5 }]);
    assert.equal(withoutFileTimes(output), '  1 failing\nthe end\n');
  });
});
