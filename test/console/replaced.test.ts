import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Plinth } from '../support/plinth.ts';

interface File {
  readonly path: string;
}

describe('the console of a build that is replaced under a running server', () => {
  let folder: string;
  let files: string[];
  let plinth: Plinth;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plinth-build-'));
    for (const part of ['server', 'console']) {
      cpSync(join('dist', part), join(folder, part), { recursive: true });
    }
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const manifest = readFileSync(join(folder, 'console/manifest.json'), 'utf8');
    files = (JSON.parse(manifest) as File[]).map(({ path }) => path);
  });
  afterEach(() => plinth.dispose());

  const start = async (): Promise<void> => {
    plinth = await Plinth.start({ program: join(folder, 'server/main.js') });
  };
  const answerTo = (path: string, coding: string) =>
    plinth.get(path === 'index.html' ? '/console' : `/console/${path}`, {
      'accept-encoding': coding,
    });

  it('is served whole, in every form', async () => {
    await start();
    rmSync(join(folder, 'console'), { recursive: true });
    for (const path of files) {
      for (const [coding, ending] of [
        ['br', '.br'],
        ['gzip', '.gz'],
        ['identity', ''],
      ] as const) {
        const { status, bytes } = await answerTo(path, coding);
        assert.equal(status, 200, `${path} as ${coding}`);
        assert.ok(bytes.equals(readFileSync(join('dist/console', path + ending))), path);
      }
    }
  });

  it('answers 404 for a file that is missing, and another form where one is there', async () => {
    const [, missing = '', partial = ''] = files;
    for (const ending of ['', '.br', '.gz']) rmSync(join(folder, 'console', missing + ending));
    rmSync(join(folder, 'console', `${partial}.br`));
    await start();
    assert.equal((await answerTo(missing, 'br, gzip')).status, 404);
    const { status, headers } = await answerTo(partial, 'br, gzip');
    assert.deepEqual([status, headers['content-encoding']], [200, 'gzip']);
  });
});
