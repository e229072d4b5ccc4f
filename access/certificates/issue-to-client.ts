import * as x509 from '@peculiar/x509';
import type { webcrypto } from 'node:crypto';
import { serialNumber } from '../pki/certificates.ts';
import { readSigningRequest } from './signing-request.ts';

/** Clocks of clients may be behind. */
const BACKDATE_MS = 5 * 60_000;

interface Signing {
  /** PEM. */
  readonly certificate: string;
  readonly key: webcrypto.CryptoKey;
}

interface Asked {
  /** PEM in base64. */
  readonly request: string;
  readonly usages: readonly string[];
  /** Milliseconds. */
  readonly now: number;
  readonly seconds: number;
}

/**
 * The certificate for a request, as PEM; it ends no later than its issuer.
 *
 * @throws Error that says what is wrong with the request
 */
export async function issueToClient(
  { certificate, key }: Signing,
  { request: asked, usages, now, seconds }: Asked,
): Promise<string> {
  const request = await readSigningRequest(asked);
  const issuer = new x509.X509Certificate(certificate);
  const end = Math.min(now + seconds * 1000, issuer.notAfter.getTime());
  const issued = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: request.subjectName,
    issuer: issuer.subjectName,
    notBefore: new Date(now - BACKDATE_MS),
    notAfter: new Date(end),
    signingAlgorithm: { ...key.algorithm, hash: 'SHA-256' },
    publicKey: request.publicKey,
    signingKey: key,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(keyUsages(usages), true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return issued.toString('pem');
}

function keyUsages(usages: readonly string[]): x509.KeyUsageFlags {
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
  if (!usages.includes('key encipherment')) return digitalSignature;
  if (!usages.includes('digital signature')) return keyEncipherment;
  return digitalSignature | keyEncipherment;
}
