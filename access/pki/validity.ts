import { X509Certificate } from 'node:crypto';

/**
 * Milliseconds until the certificate expires; negative when it has.
 *
 * @throws Error for a text that is not a certificate
 */
export function remainingValidity(certificatePem: string, now: number): number {
  return Date.parse(new X509Certificate(certificatePem).validTo) - now;
}
