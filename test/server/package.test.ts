import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Plinth } from '../support/plinth.ts';

/** What `npm install` gets of an archive; only the libraries are linked and not fetched. */
describe('the archive that npm pack makes', () => {
  let dir: string;
  let files: string[];
  const program = (): string => join(dir, 'package/dist/server/main.js');
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'plinth-package-'));
    // the programs are built before the tests are run
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', dir];
    const [made] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as [
      { filename: string; files: { path: string }[] },
    ];
    files = made.files.map(({ path }) => path);
    execFileSync('tar', ['-xzf', made.filename], { cwd: dir });
    symlinkSync(resolve('node_modules'), join(dir, 'package/node_modules'));
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  it('holds the programs, the console, the documents, the examples and the licence', () => {
    for (const file of [
      'dist/server/main.js',
      'dist/server/probe.js',
      'dist/console/index.html',
      'docs/quick-start.md',
      'examples/quick-start/definition.yaml',
      'LICENSE',
      'README.md',
    ]) {
      assert.ok(files.includes(file), file);
    }
  });

  it('holds no sources and no tests, and no pictures of the browser tests', () => {
    const unwanted = /^(?!docs\/|examples\/).*\.ts$|^test\/|^dist\/pictures\/|^data\//;
    assert.deepEqual(
      files.filter((file) => unwanted.test(file)),
      [],
    );
  });

  it('serves its API and its console', async () => {
    const plinth = await Plinth.start({ program: program() });
    try {
      assert.equal((await plinth.get('/api/v1/namespaces/default')).status, 200);
      const page = await plinth.get('/console');
      assert.equal(page.status, 200);
      const script = /\/console\/assets\/[^"]+\.js/.exec(page.text)?.[0];
      assert.ok(script, page.text);
      assert.equal((await plinth.get(script)).status, 200);
    } finally {
      await plinth.dispose();
    }
  });

  it('has a command that names its version', () => {
    const said = execFileSync(process.execPath, [program(), 'version'], { encoding: 'utf8' });
    assert.match(said, /\b0\.1\.0\b/);
  });
});
