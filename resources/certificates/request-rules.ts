import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { dns1123SubdomainErrors } from '../../api/names.ts';
import type { RequestSpec } from './request.ts';

/** What x509 and its extensions know, in the words of the API. */
const USAGES: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const MIN_EXPIRATION_SECONDS = 600;
const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
/** A domain, a slash, and a path of names. */
const MAX_SIGNER_NAME = 253 + 1 + 253;
/** Three times what a key of 16,384 bits needs; reading as many bytes of hostile parts takes 35 ms. */
const MAX_REQUEST_BYTES = 16 * 1024;

const SPEC = FieldPath.of('spec');

/** Source: behaviours 9.22. */
export function validateRequestSpec(spec: RequestSpec): FieldError[] {
  return [
    ...validateRequest(spec.request ?? ''),
    ...validateUsages(spec.usages ?? []),
    ...validateSignerName(spec.signerName ?? ''),
    ...validateExpiration(spec.expirationSeconds),
  ];
}

/** Whether the request can be read, and is signed by its key, is for those to say who have the means. */
function validateRequest(request: string): FieldError[] {
  const path = SPEC.child('request');
  if (request === '') return [fieldError.required(path)];
  const pem = Buffer.from(request, 'base64');
  if (pem.length > MAX_REQUEST_BYTES) return [fieldError.tooLong(path, MAX_REQUEST_BYTES)];
  const [, type] = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem.toString('latin1')) ?? [];
  if (type === 'CERTIFICATE REQUEST') return [];
  return [fieldError.invalid(path, request, 'PEM block type must be CERTIFICATE REQUEST')];
}

function validateUsages(usages: readonly string[]): FieldError[] {
  const path = SPEC.child('usages');
  if (usages.length === 0) return [fieldError.required(path, 'usages must be provided')];
  const seen = new Set<string>();
  return errorsOfEach(usages, (usage, i) => {
    if (!USAGES.includes(usage)) return [fieldError.notSupported(path.index(i), usage, USAGES)];
    if (seen.has(usage)) return [fieldError.duplicate(path.index(i), usage)];
    seen.add(usage);
    return [];
  });
}

function validateSignerName(signer: string): FieldError[] {
  const path = SPEC.child('signerName');
  if (signer === '') return [fieldError.required(path)];
  if (signer.length > MAX_SIGNER_NAME) return [fieldError.tooLong(path, MAX_SIGNER_NAME)];
  const slash = signer.indexOf('/');
  const domain = signer.slice(0, slash);
  if (slash < 0 || !domain.includes('.')) {
    const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [fieldError.invalid(path, signer, why)];
  }
  if (signer === LEGACY_SIGNER) {
    const why = 'the legacy signerName is not allowed via this API version';
    return [fieldError.invalid(path, signer, why)];
  }
  const names = signer.slice(slash + 1);
  return [domain, names].flatMap((part) => invalidEach(path, signer, dns1123SubdomainErrors(part)));
}

function validateExpiration(seconds: number | undefined): FieldError[] {
  if (seconds === undefined || seconds >= MIN_EXPIRATION_SECONDS) return [];
  const why = 'may not specify a duration less than 600 seconds (10 minutes)';
  return [fieldError.invalid(SPEC.child('expirationSeconds'), seconds, why)];
}
