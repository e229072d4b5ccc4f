import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { makeSigningRequest } from '../../access/certificates/signing-request.ts';
import { Kubectl } from '../support/kubectl.ts';
import { eventually, Plinth } from '../support/plinth.ts';

describe('kubectl certificate', function () {
  let plinth: Plinth;
  let kubectl: Kubectl;

  before(async () => {
    plinth = await Plinth.start();
    kubectl = new Kubectl(plinth.kubeconfig);
  });
  after(async () => {
    kubectl.dispose();
    await plinth.dispose();
  });

  const ask = async (name: string): Promise<void> => {
    const { request } = await makeSigningRequest('anna', ['team-a']);
    await kubectl.ok(['create', '-f', '-'], {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: {
        request: Buffer.from(request).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        expirationSeconds: 864_000,
        usages: ['client auth'],
      },
    });
  };
  const stateOf = async (name: string): Promise<string> =>
    (await kubectl.ok(['get', 'csr', name, '--no-headers'])).trim().split(/ +/).at(-1)!;

  it('approves a request, whose certificate then is there', async () => {
    await ask('approved');
    assert.match(await kubectl.ok(['get', 'csr', 'approved']), /admin +10d +Pending$/m);
    assert.match(await kubectl.ok(['certificate', 'approve', 'approved']), /approved$/m);
    await eventually(
      async () => (await stateOf('approved')) === 'Approved,Issued',
      'the certificate',
    );
    const { status } = await kubectl.json(['get', 'csr', 'approved']);
    const { subject } = new X509Certificate(Buffer.from(status.certificate, 'base64'));
    assert.deepEqual(subject.split('\n').sort(), ['CN=anna', 'O=team-a']);
    assert.match(await kubectl.ok(['describe', 'csr', 'approved']), /Common Name: +anna/);
  });

  it('denies a request, which is never approved then', async () => {
    await ask('denied');
    assert.match(await kubectl.ok(['certificate', 'deny', 'denied']), /denied$/m);
    assert.equal(await stateOf('denied'), 'Denied');
    const refused = await kubectl.refused(['certificate', 'approve', 'denied']);
    assert.match(refused, /already Denied/);
  });
});
