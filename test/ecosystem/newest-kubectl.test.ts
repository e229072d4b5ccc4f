import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { newestPrograms } from './packages.ts';

describe('the newest kubectl', function () {
  this.timeout(900_000);

  it('passes every test that the one of npm test passes', async () => {
    const { kubectl } = await newestPrograms();
    const PATH = [dirname(kubectl), process.env['PATH']].join(delimiter);
    const child = spawn(
      process.execPath,
      ['node_modules/mocha/bin/mocha.js', '--reporter', 'dot', 'test/kubectl/*.test.ts'],
      { env: { ...process.env, PATH }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let out = '';
    child.stdout.on('data', (text: Buffer) => (out += text.toString()));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0, out);
  });
});
