import { createSecureContext } from 'node:tls';
import { readPem } from '../../http/pem.ts';
import type { KeyPair } from './certificates.ts';

/**
 * A certificate and its key from the operator's files.
 *
 * @throws Error that names the file that cannot be read, or both when they do not fit
 */
export function readPair(certFile: string, keyFile: string): KeyPair {
  const pair = { certificate: readPem(certFile), key: readPem(keyFile) };
  try {
    createSecureContext({ cert: pair.certificate, key: pair.key });
  } catch (error) {
    const why = (error as Error).message;
    throw new Error(`${certFile} and ${keyFile} cannot be used: ${why}`, { cause: error });
  }
  return pair;
}
