import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { parseAuthenticationConfiguration } from '../../access/authentication/jwt/configuration.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { startAll } from '../support/start-all.ts';
import { blockOf, ROOT, type } from './blocks.ts';

const PAGE = 'docs/security.md';

function commandsOf(heading: string): string {
  const { executedBy, commands } = blockOf(PAGE, heading);
  assert.equal(executedBy, 'test/docs/credentials.test.ts', heading);
  return commands;
}

/** Which key has signed it. */
function keyOf(token: string): unknown {
  return decodeProtectedHeader(token).kid;
}

/** The ways by which the pages let others in, as they stand there. */
describe('the first credentials', function () {
  let scratch: string;
  before(() => {
    scratch = mkdtempSync(join(tmpdir(), 'plinth-credentials-'));
  });
  after(() => rmSync(scratch, { recursive: true }));

  it('a certificate that the authority has signed, and a token, are users with the rights of their group', async () => {
    await type(commandsOf('A token for a program'), { cwd: scratch });
    const dataDir = join(scratch, 'data');
    const args = ['--token-auth-file', join(scratch, 'tokens.csv')];
    const server = await Plinth.start({ dataDir, args });
    try {
      const env = { KUBECONFIG: server.kubeconfig };
      const printed = await type(commandsOf('A certificate for a person'), { cwd: scratch, env });
      assert.match(printed, /rolebinding\S* created/);
      assert.match(printed, /^anna +team-a .* Valid /m);
      assert.match(printed, /1 of the certificates of anna are revoked/);
      const [token] = readFileSync(join(scratch, 'tokens.csv'), 'utf8').split(',');
      const authorization = `Bearer ${token}`;
      const events = '/api/v1/namespaces/default/events';
      assert.equal((await server.get(events, { authorization })).status, 200);
      assert.equal((await server.get('/api/v1/nodes', { authorization })).status, 403);
    } finally {
      await server.dispose();
    }
  });

  it('the configuration of an identity provider is one that is taken', () => {
    const text = readFileSync(join(ROOT, PAGE), 'utf8');
    const samples = [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, sample = '']) => sample);
    const sample = samples.find((one) => one.includes('kind: AuthenticationConfiguration'));
    parseAuthenticationConfiguration(sample ?? '');
  });

  it('two servers that share what is in pki/server take the same administrator and tokens, also when the key is replaced', async () => {
    await type('plinth certificates --dir pki --separate', { cwd: scratch });
    const file = (name: string): string => join(scratch, 'pki/server', name);
    const etcd = await TestEtcd.start();
    const args = [
      ...['--service-account-signing-key-file', file('service-account.key')],
      ...['--service-account-key-file', file('service-account.pub')],
      ...['--etcd-servers', etcd.url, '--client-ca-file', file('ca.crt')],
      ...['--tls-cert-file', file('serving.crt'), '--tls-private-key-file', file('serving.key')],
    ];
    const servers = await startAll([Plinth.start({ args }), Plinth.start({ args })]);
    try {
      for (const [n, { url }] of servers.entries()) {
        const commands = `kubectl --kubeconfig pki/admin.kubeconfig --server ${url} create namespace of-${n}`;
        assert.match(await type(commands, { cwd: scratch }), /created/);
      }
      const kubectl = (n: number, command: string): Promise<string> =>
        type(`kubectl --kubeconfig pki/admin.kubeconfig --server ${servers[n]!.url} ${command}`, {
          cwd: scratch,
        });
      const isTakenByBoth = async (token: string): Promise<void> => {
        for (const { url } of servers) {
          const as = `--kubeconfig /dev/null --certificate-authority ${file('ca.crt')} --token ${token}`;
          const who = 'auth whoami -o jsonpath={.status.userInfo.username}';
          const shown = await type(`kubectl --server ${url} ${as} ${who}`, { cwd: scratch });
          assert.match(shown, /system:serviceaccount:default:robot/);
        }
      };
      await kubectl(0, 'create serviceaccount robot');
      const before = (await kubectl(0, 'create token robot')).trim();
      await isTakenByBoth(before);
      const { commands: replace } = blockOf('docs/operations.md', 'A new key for tokens');
      await type(replace, { cwd: scratch });
      let after = before;
      for (const n of [0, 1]) {
        await eventually(async () => {
          after = (await kubectl(n, 'create token robot')).trim();
          return keyOf(after) !== keyOf(before);
        }, 'a token of the new key');
        await isTakenByBoth(before);
      }
      await isTakenByBoth(after);
    } finally {
      await Promise.all(servers.map((server) => server.dispose()));
      await etcd.dispose();
    }
  });
});
