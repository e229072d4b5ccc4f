import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

/** Where operating systems keep the authorities that they trust, in the order of Go's crypto/x509. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

let roots: readonly string[] | undefined;

/** The authorities of the system and those that Node brings along; read once. */
export function systemRoots(): readonly string[] {
  roots ??= [...rootCertificates, ...systemBundle()];
  return roots;
}

function systemBundle(): string[] {
  for (const file of BUNDLES) {
    try {
      return [readFileSync(file, 'utf8')];
    } catch {
      // the next one
    }
  }
  return [];
}
