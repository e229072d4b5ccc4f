import { X509Certificate } from 'node:crypto';
import type { TlsMaterial } from './tls-files.ts';

/** How OpenSSL says that nothing trusted has signed the certificate of the peer. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** How the peer says what it thinks of the certificate that it was shown, or of none. */
const REFUSED = /ALERT_(?:.*CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED)/;

/**
 * Says which certificate or file keeps the connection from being made.
 * Undefined: it is none of them.
 */
export function tlsFailure(error: Error, tls: TlsMaterial): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (UNTRUSTED.has(code)) {
    const known = tls.caFile ?? 'the list that comes with Node';
    return `its certificate is of no authority in ${known} (${code})`;
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const when = code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet';
    return `its certificate, or that of its authority, ${when} (${code})`;
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return `it does not speak TLS (${code})`;
  return REFUSED.test(code) ? `${refusedOf(tls)} (${code})` : undefined;
}

/** Some peers hang up without a word when they do not like the client's certificate: `judged`. */
export function hungUp(judged: TlsMaterial | undefined): string {
  const why = judged === undefined ? '' : `: perhaps ${refusedOf(judged)}`;
  return `the peer hung up${why}`;
}

function refusedOf({ cert, certFile }: TlsMaterial): string {
  if (cert === undefined) return 'it wants a client certificate';
  const refused = `it refuses the client certificate in ${certFile}`;
  const { validTo } = new X509Certificate(cert);
  return Date.parse(validTo) < Date.now() ? `${refused}, which has expired` : refused;
}
