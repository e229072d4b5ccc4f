import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Plinth } from '../support/plinth.ts';

const run = promisify(execFile);
const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: RequestResponse }]\n';

/** Every file and directory below one, with its permissions. */
function modesOf(root: string): Record<string, string> {
  const modes: Record<string, string> = {};
  const paths = [root, ...readdirSync(root, { recursive: true }).map((n) => join(root, String(n)))];
  for (const path of paths) {
    modes[relative(root, path)] = (statSync(path).mode & 0o777).toString(8);
  }
  return modes;
}

describe('modes of files, under an umask that takes nothing away', () => {
  let dir = '';
  let plinth: Plinth;
  let umask = 0;
  const plinthCommand = (...args: string[]): Promise<unknown> =>
    run(process.execPath, ['dist/server/main.js', ...args]);
  before(async () => {
    umask = process.umask(0);
    dir = mkdtempSync(join(tmpdir(), 'plinth-modes-'));
    const policy = join(dir, 'policy.yaml');
    writeFileSync(policy, POLICY);
    plinth = await Plinth.start({
      dataDir: join(dir, 'data'),
      args: [
        ...['--audit-policy-file', policy, '--audit-log-path', join(dir, 'audit', 'audit.log')],
        ...['--audit-log-maxsize', '1'],
      ],
    });
  });
  after(async () => {
    process.umask(umask);
    await plinth.dispose();
    rmSync(dir, { recursive: true, force: true });
  });

  const assertPrivate = (root: string, expected: readonly string[]): void => {
    const modes = modesOf(root);
    for (const file of expected) assert.ok(file in modes, file);
    const open = Object.entries(modes).filter(([, mode]) => !mode.endsWith('00'));
    assert.deepEqual(open, []);
  };

  it('only the owner reads the data, keys, kubeconfig and audit log of a server', async () => {
    const data = { blob: 'x'.repeat(200_000) };
    for (let i = 0; i < 4; i++) {
      const metadata = { name: `large-${i}`, annotations: data };
      await plinth.send('POST', '/api/v1/namespaces', { metadata });
    }
    assertPrivate(join(dir, 'data'), [
      ...['', 'admin.kubeconfig', 'store', join('pki', 'ca.key'), join('pki', 'serving.names')],
    ]);
    assertPrivate(join(dir, 'audit'), ['audit.log']);
    assert.ok(readdirSync(join(dir, 'audit')).length > 1, 'a file was put aside');
  });

  it('only the owner reads a backup, and what is restored from it', async () => {
    const copies = join(dir, 'copies');
    const copy = join(copies, 'copy');
    await run('mkdir', ['-m', '700', copies]);
    // an older copy that others may read is replaced
    writeFileSync(copy, 'old', { mode: 0o666 });
    await plinthCommand('backup', '--data-dir', plinth.dataDir, '--to', copy);
    assertPrivate(copies, ['copy']);
    chmodSync(copy, 0o644);
    await plinthCommand('restore', '--from', copy, '--data-dir', join(copies, 'restored'));
    assertPrivate(join(copies, 'restored'), [join('store', 'store.mdb')]);
  });

  it('only the group reads the credentials of an installation', async () => {
    const credentials = join(dir, 'credentials');
    await plinthCommand('certificates', '--dir', credentials);
    const modes = modesOf(credentials);
    assert.equal(modes['admin.kubeconfig'], '600');
    assert.equal(modes[''], '700');
    for (const [file, mode] of Object.entries(modes)) {
      assert.match(mode, /^[67][04]0$/, file);
    }
  });
});
