// The certificate library needs it, and does not load it.
import 'reflect-metadata';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface TestCertificates {
  readonly directory: string;
  readonly caFile: string;
  /** For both ends: etcd's server certificate and the store's client certificate. */
  readonly certFile: string;
  readonly keyFile: string;
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** A certificate authority of its own, and a certificate of it for 127.0.0.1. */
export async function makeCertificates(): Promise<TestCertificates> {
  const directory = await mkdtemp(join(tmpdir(), 'plinth-tls-'));
  const notBefore = new Date(Date.now() - 60_000);
  const notAfter = new Date(Date.now() + 3_600_000);
  const caKeys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=test-ca',
    notBefore,
    notAfter,
    signingAlgorithm: ALGORITHM,
    keys: caKeys,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=test',
    issuer: authority.subject,
    notBefore,
    notAfter,
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    extensions: [
      new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']),
      new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  const files = {
    ca: Buffer.from(authority.toString('pem')),
    cert: Buffer.from(certificate.toString('pem')),
    key: Buffer.from(x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')),
  };
  const path = (name: string): string => join(directory, name);
  await writeFile(path('ca.crt'), files.ca);
  await writeFile(path('tls.crt'), files.cert);
  await writeFile(path('tls.key'), files.key);
  return {
    ...files,
    directory,
    caFile: path('ca.crt'),
    certFile: path('tls.crt'),
    keyFile: path('tls.key'),
  };
}
