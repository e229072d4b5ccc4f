import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('what the tests need', () => {
  it('is named in one line for each program that is missing and cannot be fetched', () => {
    const empty = mkdtempSync(join(tmpdir(), 'plinth-needs-'));
    try {
      // neither the programs, nor apt-get and docker to get them with
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import=tsx', join('test', 'support', 'needs.ts')],
        { encoding: 'utf8', env: { PATH: empty, HOME: empty } },
      );
      assert.equal(status, 1, stderr);
      assert.equal(stdout, '');
      const lines = stderr.trimEnd().split('\n');
      const expected = [
        /^no kubectl for the tests: apt-get install kubernetes-client, or brew install \S+$/,
        ...(process.platform === 'linux'
          ? [/^no strace for the tests: apt-get install strace$/]
          : []),
        /^no etcd for the tests: install it \(apt-get install etcd-server, .*PLINTH_TEST_ETCD/,
      ];
      assert.equal(lines.length, expected.length, stderr);
      for (const [i, pattern] of expected.entries()) assert.match(lines[i]!, pattern);
    } finally {
      rmSync(empty, { recursive: true });
    }
  });

  it('is named in one line each where the console has no browser and no curl', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import=tsx', join('test', 'browser', 'needs.ts')],
      { encoding: 'utf8', env: { PATH: '/nowhere' } },
    );
    assert.equal(status, 1, stderr);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /^no chromium for the tests of the console: apt-get install chromium.*\nno curl for the tests of the console: apt-get install curl\n$/,
    );
  });
});
