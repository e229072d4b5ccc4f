import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeAuthority,
  makeClientCertificate,
  makeServingCertificate,
} from '../../access/pki/certificates.ts';
import { FlagError } from '../../config/command-line.ts';
import { parseFlags } from '../../config/flags.ts';
import { Plinth } from '../support/plinth.ts';

const now = Date.now();
const dir = mkdtempSync(join(tmpdir(), 'plinth-envtest-'));
const write = (name: string, text: string): void => writeFileSync(join(dir, name), text);

/** What envtest of controller-runtime 0.24 says to kube-apiserver, save for etcd and the port. */
const ARGS = [
  '--allow-privileged=true',
  '--authorization-mode=RBAC',
  '--bind-address=127.0.0.1',
  `--cert-dir=${dir}`,
  `--client-ca-file=${dir}/client-cert-auth-ca.crt`,
  '--disable-admission-plugins=ServiceAccount',
  '--service-account-issuer=https://127.0.0.1:6443/',
  `--service-account-key-file=${dir}/sa-signer.crt`,
  `--service-account-signing-key-file=${dir}/sa-signer.key`,
  '--service-cluster-ip-range=10.0.0.0/24',
];

describe('in the place of a kube-apiserver that envtest starts', () => {
  let plinth: Plinth | undefined;
  afterEach(() => plinth?.dispose());

  it('serves by the files of --cert-dir, and knows the user that envtest makes', async () => {
    const [serving, clients, signer] = await Promise.all(
      ['serving', 'clients', 'signer'].map((name) => makeAuthority(name, now)),
    );
    const shown = await makeServingCertificate(serving!, ['127.0.0.1'], now);
    write('apiserver.crt', shown.certificate);
    write('apiserver.key', shown.key);
    write('client-cert-auth-ca.crt', clients!.certificate);
    write('sa-signer.crt', signer!.certificate);
    write('sa-signer.key', signer!.key);
    plinth = await Plinth.start({ args: ARGS });
    const admin = await makeClientCertificate(clients!, 'admin', ['system:masters'], now);
    const { certificate: cert, key } = admin;
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const url = new URL('/api/v1/namespaces/default/secrets', plinth!.url);
      const options = { ca: serving!.certificate, cert, key, agent: false };
      request(url, options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    assert.equal(answer, 200);
  });

  it('files that --tls-cert-file names count more than those of --cert-dir', () => {
    const files = ['--tls-cert-file=a.crt', '--tls-private-key-file=a.key'];
    const config = parseFlags([...ARGS, ...files], () => undefined);
    assert.deepEqual([config.tlsCertFile, config.tlsPrivateKeyFile], ['a.crt', 'a.key']);
  });

  it('what this server checks cannot be disabled', () => {
    for (const plugin of ['NamespaceLifecycle', 'ResourceQuota', 'ValidatingAdmissionWebhook']) {
      const parse = (): unknown =>
        parseFlags([`--disable-admission-plugins=${plugin}`], () => undefined);
      assert.throws(parse, FlagError);
    }
  });
});
