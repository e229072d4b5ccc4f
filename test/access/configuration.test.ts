import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority } from '../../access/pki/certificates.ts';
import { eventually, Plinth } from '../support/plinth.ts';

/** What an operator gets wrong is said in one line, with the name of the flag or file. */
describe('files and flags of access that are wrong', () => {
  let directory: string;
  const at = (name: string): string => join(directory, name);
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plinth-wrong-'));
    const [one, other] = await Promise.all(
      ['one', 'other'].map((name) => makeAuthority(name, Date.now())),
    );
    writeFileSync(at('one.crt'), one!.certificate);
    writeFileSync(at('other.key'), other!.key);
    writeFileSync(at('text'), 'a: b');
    const kind = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
    writeFileSync(at('more'), `${kind}issuers: []\n`);
    writeFileSync(at('issuers'), `${kind}jwt: []\n`);
    writeFileSync(at('tokens'), 'only-a-token\n');
  });
  after(() => rmSync(directory, { recursive: true }));

  const pair = (): string[] => [at('one.crt'), at('other.key')];
  const cases: [string, () => string[], RegExp][] = [
    [
      'a certificate with the key of another',
      () => flags('--tls-cert-file', pair()[0], '--tls-private-key-file', pair()[1]),
      /one\.crt and .*other\.key cannot be used/,
    ],
    [
      'the same for a name',
      () => flags('--tls-sni-cert-key', pair().join(',')),
      /one\.crt and .*other\.key cannot be used/,
    ],
    [
      'the same for the proxy',
      () => flags('--proxy-client-cert-file', pair()[0], '--proxy-client-key-file', pair()[1]),
      /one\.crt and .*other\.key cannot be used/,
    ],
    [
      'authorities that are none',
      () => flags('--client-ca-file', at('other.key')),
      /other\.key: it contains no certificate/,
    ],
    [
      'authorities of proxies that are not there',
      () => flags('--requestheader-client-ca-file', at('nowhere')),
      /nowhere/,
    ],
    [
      'names of proxies without authorities',
      () => flags('--requestheader-allowed-names', 'x'),
      /requires --requestheader-client-ca-file/,
    ],
    [
      'tokens without users',
      () => flags('--token-auth-file', at('tokens')),
      /tokens, line 1: expected token,user,uid/,
    ],
    [
      'a kubeconfig that is none',
      () => flags('--authentication-token-webhook-config-file', at('text')),
      /text: is not a kubeconfig/,
    ],
    [
      'a webhook that is not asked',
      () => flags('--authorization-webhook-config-file', at('text')),
      /requires --authorization-mode Webhook/,
    ],
    [
      'a mode without its webhook',
      () => flags('--authorization-mode', 'RBAC,Webhook'),
      /requires --authorization-webhook-config-file/,
    ],
    [
      'an unknown mode',
      () => flags('--authorization-mode', 'Node'),
      /must be some of RBAC, Webhook/,
    ],
    [
      'a configuration with other fields',
      () => flags('--authentication-config', at('more')),
      /more: the file has an unknown field issuers/,
    ],
    [
      'one issuer in two places',
      () =>
        flags(
          '--authentication-config',
          at('issuers'),
          '--oidc-issuer-url',
          'https://x',
          '--oidc-client-id',
          'y',
        ),
      /cannot be used with/,
    ],
    [
      'a policy that is none',
      () => flags('--audit-policy-file', at('text'), '--audit-log-path', '-'),
      /text: policy has an unknown field a/,
    ],
    [
      'an audit log without a policy',
      () => flags('--audit-log-path', '-'),
      /require --audit-policy-file/,
    ],
    [
      'an encryption that is none',
      () => flags('--encryption-provider-config', at('text')),
      /text: the file has an unknown field a/,
    ],
    [
      'an unknown plugin',
      () => flags('--enable-admission-plugins', 'NodeRestriction'),
      /must be some of OwnerReferencesPermissionEnforcement/,
    ],
  ];
  for (const [what, args, message] of cases) {
    it(what, async () => {
      await assert.rejects(Plinth.start({ args: args() }), ({ message: told }: Error) => {
        assert.match(told, message);
        assert.match(told, /^ended with [12]: plinth: [^\n]*\n?$/, 'one line');
        return true;
      });
    });
  }

  it('a policy without an audit backend is logged as a warning', async () => {
    const policy = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n';
    writeFileSync(at('policy'), policy);
    const plinth = await Plinth.start({ args: ['--audit-policy-file', at('policy')] });
    await eventually(() => plinth.output.includes('no audit events are written'), 'the warning');
    await plinth.dispose();
  });

  it('a boolean flag without a value is true', async () => {
    const plinth = await Plinth.start({ args: ['--anonymous-auth', '--log-level', 'warn'] });
    assert.equal((await plinth.get('/livez', { authorization: '' })).status, 200);
    await plinth.dispose();
    const closed = await Plinth.start({ args: ['--anonymous-auth=false'] });
    assert.equal((await closed.get('/livez', { authorization: '' })).status, 401);
    await closed.dispose();
  });
});

function flags(...args: (string | undefined)[]): string[] {
  return args.map(String);
}
