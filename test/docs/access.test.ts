import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAuthenticationConfiguration } from '../../access/authentication/jwt/configuration.ts';
import { Issuer } from '../access/issuer.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { blocksOf, type } from './blocks.ts';

const PAGE = 'docs/access.md';
const HERE = 'test/docs/access.test.ts';

describe(PAGE, function () {
  let scratch: string;
  let issuer: Issuer;
  let plinth: Plinth;
  let environment: Record<string, string>;

  /** What the blocks below a heading print. */
  const typed = (heading: string): Promise<string> => {
    const blocks = blocksOf(PAGE).filter((block) => block.heading === heading);
    assert.ok(blocks.length > 0, heading);
    const commands = blocks.map((block) => block.commands).join('\n');
    return type(commands, { cwd: scratch, env: environment });
  };

  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'plinth-access-'));
    issuer = await Issuer.start();
    writeFileSync(join(scratch, 'issuer-ca.pem'), issuer.authority);
    environment = { HOME: scratch, ISSUER: issuer.url, KUBECONFIG: 'data/admin.kubeconfig' };
    await typed('An identity provider');
    plinth = await Plinth.start({
      dataDir: join(scratch, 'data'),
      args: ['--authentication-config', join(scratch, 'authentication.yaml')],
    });
  });
  after(async () => {
    await plinth.dispose();
    await issuer.close();
    rmSync(scratch, { recursive: true });
  });

  it('has every block of commands executed', () => {
    assert.ok(blocksOf(PAGE).every(({ executedBy }) => executedBy === HERE));
  });

  it('shows a configuration that is taken with the issuer of the page, too', async () => {
    const other = mkdtempSync(join(scratch, 'other-'));
    writeFileSync(join(other, 'issuer-ca.pem'), issuer.authority);
    const [block] = blocksOf(PAGE);
    const env = { ISSUER: '' };
    const text = await type(`${block!.commands}\ncat authentication.yaml`, { cwd: other, env });
    const [jwt] = parseAuthenticationConfiguration(text).jwt ?? [];
    assert.equal(jwt?.issuer.url, 'https://login.example.org');
  });

  it('gives two teams their rights, and each of them no more', async () => {
    const printed = await typed('Roles for two teams');
    assert.deepEqual(printed.match(/^(?:yes|no)$/gm), ['yes', 'yes', 'no', 'yes'], printed);
  });

  it('lets a person in by a certificate until it is revoked', async () => {
    const printed = await typed('A certificate');
    assert.match(printed, /Username +ann\n/);
    assert.match(printed, /Groups +\[red system:authenticated\]/);
    assert.match(printed, /configmap\/from-ann created/);
    const command = 'kubectl --kubeconfig ann.kubeconfig get configmaps --namespace red';
    await assert.rejects(
      type(command, { cwd: scratch, env: environment }),
      /Unauthorized|provide credentials/,
    );
  });

  const claims = {
    ...{ sub: '4711', email: 'ben@example.org', email_verified: true, hd: 'example.org' },
    groups: ['blue'],
  };

  it('lets a person in by a token of the identity provider', async () => {
    writeFileSync(join(scratch, 'ben.token'), await issuer.token(claims));
    const printed = await typed('A token of the identity provider');
    assert.match(printed, /Username +oidc:ben@example\.org\n/);
    assert.match(printed, /UID +4711\n/);
    assert.match(printed, /Groups +\[oidc:blue system:authenticated\]/);
    assert.match(printed, /example\.org\/office +\[none\]/);
    assert.match(printed, /configmap\/from-ben created/);
  });

  it('lets no token in that the rules of the page refuse', async () => {
    const status = async (changes: object): Promise<number> => {
      const token = await issuer.token({ ...claims, ...changes });
      const path = '/api/v1/namespaces/blue/configmaps';
      return (await plinth.get(path, { authorization: `Bearer ${token}` })).status;
    };
    assert.equal(await status({}), 200);
    for (const changes of [{ hd: 'example.com' }, { email_verified: false }, { aud: 'another' }]) {
      assert.equal(await status(changes), 401, JSON.stringify(changes));
    }
    assert.equal(await status({ groups: ['red-guests'] }), 403);
  });

  it('lets a program in by a token of its account, until what it is bound to has gone', async () => {
    const printed = await typed('A service account');
    assert.match(printed, /Username +system:serviceaccount:blue:robot\n/);
    assert.match(printed, /configmap\/from-robot created/);
    assert.match(printed, /^system:serviceaccount:blue:robot$/m);
    assert.match(printed, /"keys":\[\{/);
    const command = 'kubectl --kubeconfig robot.kubeconfig auth whoami';
    await eventually(async () => {
      const outcome = type(command, { cwd: scratch, env: environment });
      return outcome.then(
        () => false,
        () => true,
      );
    }, 'the token is refused');
  });
});
