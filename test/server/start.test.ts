import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Plinth } from '../support/plinth.ts';

function run(...args: string[]): { code: number | null; out: string; err: string } {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  const result = spawnSync(process.execPath, ['dist/server/main.js', '--data-dir', dir, ...args], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  rmSync(dir, { recursive: true, force: true });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

describe('the command line', () => {
  it('--help explains every flag', () => {
    const { code, out } = run('--help');
    assert.equal(code, 0);
    for (const flag of [
      '--storage',
      '--data-dir',
      '--etcd-servers',
      '--etcd-prefix',
      '--secure-port',
      '--token-auth-file',
      '--client-ca-file',
      '--tls-cert-file',
    ]) {
      assert.match(out, new RegExp(`${flag} .*\\S`), flag);
    }
  });

  it('--help shows choices, and defaults as a user writes them', () => {
    const { out } = run('--help');
    assert.match(out, /--service-cluster-ip-range .*\(default: 10\.0\.0\.0\/24\)/);
    assert.match(out, /--log-level .*\(one of trace, .*; default: info\)/);
    assert.match(out, /--anonymous-auth .*\(default: true\)/);
    assert.doesNotMatch(out, /preset|\[\]|""/);
  });

  for (const [what, args] of Object.entries({
    'an unknown flag': ['--nonsense'],
    'a port that is none': ['--secure-port', 'x'],
    'an etcd URL that is none': ['--etcd-servers', 'localhost'],
    'etcd without servers': ['--storage', 'etcd'],
    'an unreachable etcd': ['--etcd-servers', 'http://127.0.0.1:1'],
    'a certificate without key': ['--tls-cert-file', 'x.pem'],
    'a file that is missing': ['--token-auth-file', '/nonexistent/tokens.csv'],
    'a data directory that cannot be made': ['--data-dir', '/proc/x'],
    'an unknown feature gate': ['--feature-gates', 'Nonsense=true'],
  })) {
    it(`${what} is one clear line and a non-zero exit`, () => {
      const { code, err } = run('--secure-port', '0', ...args);
      assert.notEqual(code, 0);
      assert.match(err, /^plinth: .+\n$/, err);
    });
  }
});

describe('the first start', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
  });
  after(() => plinth.dispose());

  it('picks a port for 0 and prints where it listens', () => {
    assert.match(plinth.output, /serves https:\/\/127\.0\.0\.1:\d+/);
    assert.notEqual(new URL(plinth.url).port, '0');
  });

  it('writes a kubeconfig and keys that only the owner can read', () => {
    assert.equal(statSync(plinth.kubeconfig).mode & 0o077, 0);
    assert.equal(statSync(join(plinth.dataDir, 'pki', 'ca.key')).mode & 0o077, 0);
  });

  it('creates the system namespaces', async () => {
    const { json } = await plinth.get('/api/v1/namespaces');
    assert.deepEqual(
      json.items.map((item: any) => item.metadata.name),
      ['cluster', 'kube']
        .flatMap((prefix) => ['node-lease', 'public', 'system'].map((name) => `${prefix}-${name}`))
        .concat('default')
        .sort(),
    );
  });

  it('keeps authority, credential and objects over a restart', async () => {
    await plinth.send('POST', '/api/v1/namespaces', { metadata: { name: 'kept' } });
    const before = await plinth.get('/api/v1/namespaces/kept');
    assert.equal(await plinth.stop(), 0, 'SIGTERM ends it with exit code 0');
    await plinth.start();
    const after = await plinth.get('/api/v1/namespaces/kept');
    assert.deepEqual(after.json, before.json);
    assert.ok(existsSync(plinth.kubeconfig));
  });
});
