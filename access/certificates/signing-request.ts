import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { webcrypto } from 'node:crypto';

x509.cryptoProvider.set(webcrypto);

/**
 * Reads a PEM signing request in base64 and verifies that its sender holds the key.
 *
 * @throws Error that says what is wrong with it
 */
export async function readSigningRequest(base64: string): Promise<x509.Pkcs10CertificateRequest> {
  const pem = Buffer.from(base64, 'base64').toString('latin1');
  const request = new x509.Pkcs10CertificateRequest(pem);
  if (!(await request.verify())) throw new Error('the signature does not match the public key');
  return request;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A new key, and the request for a certificate of a user in these groups, both as PEM. */
export async function makeSigningRequest(
  user: string,
  groups: readonly string[],
): Promise<{ readonly request: string; readonly key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const name = new x509.Name([{ CN: [user] }, ...groups.map((group) => ({ O: [group] }))]);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: ALGORITHM,
  });
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const written = [...name.getField('CN'), ...name.getField('O')];
  // the package reads quotes and escapes within names
  if (JSON.stringify(written) !== JSON.stringify([user, ...groups])) {
    throw new Error(`${JSON.stringify(user)}: names with quotes or escapes cannot be written`);
  }
  return {
    request: request.toString('pem'),
    key: x509.PemConverter.encode(der, 'PRIVATE KEY'),
  };
}
