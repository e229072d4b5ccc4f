import { X509Certificate } from 'node:crypto';
import { fieldError, type FieldError } from '../api/field-error.ts';
import type { FieldPath } from '../api/field-path.ts';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** Each takes about 0.13 ms of CPU to read, wherever a bundle is used. */
const MAX_BUNDLE_CERTIFICATES = 250;

/** A bundle (base64 of PEM) of more certificates than are read in one turn of the event loop. */
export function bundleSizeErrors(path: FieldPath, caBundle: string | undefined): FieldError[] {
  const count = certificatesOf(caBundle ?? '').length;
  return count > MAX_BUNDLE_CERTIFICATES
    ? [fieldError.tooMany(path, count, MAX_BUNDLE_CERTIFICATES)]
    : [];
}

/** No expression: one would look for the end behind each of many beginnings. */
function certificatesOf(caBundle: string): readonly string[] {
  const pem = Buffer.from(caBundle, 'base64').toString('latin1');
  const certificates: string[] = [];
  for (let at = pem.indexOf(BEGIN); at >= 0;) {
    const end = pem.indexOf(END, at);
    if (end < 0) break;
    certificates.push(pem.slice(at, end + END.length));
    at = pem.indexOf(BEGIN, end);
  }
  return certificates;
}

/** Why the certificates of a bundle (base64 of PEM) cannot be used; undefined: they can, or there are none. */
export function bundleProblem(caBundle: string | undefined): string | undefined {
  if (caBundle === undefined || caBundle === '') return undefined;
  const certificates = certificatesOf(caBundle);
  // refused for their number: see bundleSizeErrors
  if (certificates.length > MAX_BUNDLE_CERTIFICATES) return undefined;
  const prefix = 'unable to load root certificates: ';
  if (certificates.length === 0) return `${prefix}unable to parse bytes as PEM block`;
  for (const certificate of certificates) {
    const problem = certificateProblem(certificate);
    if (problem !== undefined) return prefix + problem;
  }
  return undefined;
}

function certificateProblem(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).fingerprint === '' ? 'a certificate is empty' : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
