import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @throws Error that names the file */
export function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * PEM of authorities. A file without one would be taken by TLS without a word:
 * then no client with a certificate gets in.
 *
 * @throws Error that names the file
 */
export function readAuthorities(file: string): string {
  const pem = readPem(file);
  try {
    certificatesIn(pem);
    return pem;
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** @throws Error when there is none, or one that cannot be read */
export function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('it contains no certificate');
  return blocks.map((block) => new X509Certificate(block));
}
