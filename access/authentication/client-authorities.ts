import type { PeerCertificate } from 'node:tls';
import type { Clock } from '../../api/clock.ts';
import { certificatesIn, readAuthorities } from '../../http/pem.ts';
import type { Peer } from '../../http/message.ts';

/**
 * Authorities of certificates, told apart by what they vouch for: the
 * connection only says that one of all that the server knows has signed.
 */
export class ClientAuthorities {
  readonly #file: string | undefined;
  readonly #fixed: readonly string[];
  readonly #clock: Clock;
  #fingerprints: ReadonlySet<string> = new Set();
  /** A connection has one certificate for life, and many requests. */
  readonly #ends = new WeakMap<PeerCertificate, number>();

  /**
   * `file`: PEM, may change; `fixed`: PEM that does not.
   *
   * @throws Error that names the file
   */
  constructor(clock: Clock, file: string | undefined, fixed: readonly string[] = []) {
    this.#clock = clock;
    this.#file = file;
    this.#fixed = fixed;
    this.reload();
  }

  /** @throws Error that names the file; then the authorities before stay */
  reload(): void {
    const file = this.#file === undefined ? [] : [readAuthorities(this.#file)];
    const certificates = [...this.#fixed, ...file].flatMap(certificatesIn);
    this.#fingerprints = new Set(certificates.map(({ fingerprint256 }) => fingerprint256));
  }

  /**
   * Is one of them above the certificate of the connection, at this moment?
   * Connections last: the handshake may have been before the end of a certificate.
   */
  vouchFor({ certificate, issuers }: Peer): boolean {
    if (certificate === undefined || this.#endOf(certificate) < this.#clock.now()) return false;
    return issuers.some((issuer) => this.#fingerprints.has(issuer));
  }

  #endOf(certificate: PeerCertificate): number {
    let end = this.#ends.get(certificate);
    if (end === undefined) {
      end = Date.parse(certificate.valid_to);
      this.#ends.set(certificate, end);
    }
    return end;
  }
}
