import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { serialNumber, type KeyPair } from '../../access/pki/certificates.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 3_600_000;

interface AuthorityOptions {
  /** Who signs; none: the authority signs itself. */
  readonly above?: KeyPair;
  /** A certificate that claims to be signed by this one, and is signed by its own key. */
  readonly pretends?: { readonly issuer: string; readonly subjectKeyOf: string };
}

/** An authority that may sign other authorities: a root, one in the middle of a chain, or a forged one. */
export async function makeChainAuthority(
  commonName: string,
  { above, pretends }: AuthorityOptions = {},
): Promise<KeyPair> {
  const { subtle } = webcrypto;
  const keys = await subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const issuer = certificateOf(pretends?.issuer ?? above?.certificate);
  const signer = above === undefined ? undefined : await importKey(above.key);
  const alike = certificateOf(pretends?.subjectKeyOf);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${commonName}`,
    issuer: issuer?.subject ?? `CN=${commonName}`,
    notBefore: new Date(Date.now() - HOUR_MS),
    notAfter: new Date(Date.now() + 24 * HOUR_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: signer ?? keys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      alike?.getExtension(x509.SubjectKeyIdentifierExtension) ??
        (await x509.SubjectKeyIdentifierExtension.create(keys.publicKey)),
      ...(issuer === undefined ? [] : [await x509.AuthorityKeyIdentifierExtension.create(issuer)]),
    ],
  });
  const der = await subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(der, 'PRIVATE KEY'),
  };
}

function certificateOf(pem: string | undefined): x509.X509Certificate | undefined {
  return pem === undefined ? undefined : new x509.X509Certificate(pem);
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [der] = x509.PemConverter.decode(pem);
  return webcrypto.subtle.importKey('pkcs8', der!, ALGORITHM, false, ['sign']);
}
