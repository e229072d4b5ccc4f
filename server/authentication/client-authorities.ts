import { X509Certificate } from 'node:crypto';
import { readPem } from '../http/https-server.ts';
import type { Peer } from '../http/message.ts';

/**
 * Authorities of certificates, told apart by what they vouch for: the
 * connection only says that one of all that the server knows has signed.
 */
export class ClientAuthorities {
  readonly #file: string | undefined;
  readonly #fixed: readonly string[];
  #fingerprints: ReadonlySet<string> = new Set();

  /**
   * `file`: PEM, may change; `fixed`: PEM that does not.
   *
   * @throws Error that names the file
   */
  constructor(file: string | undefined, fixed: readonly string[] = []) {
    this.#file = file;
    this.#fixed = fixed;
    this.reload();
  }

  /** @throws Error that names the file; then the authorities before stay */
  reload(): void {
    const texts = [...this.#fixed, ...(this.#file === undefined ? [] : [readPem(this.#file)])];
    try {
      this.#fingerprints = new Set(texts.flatMap(fingerprints));
    } catch (error) {
      throw new Error(`${this.#file ?? ''}: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Is one of them above the certificate of the connection? */
  vouchFor({ certificate, issuers }: Peer): boolean {
    if (certificate === undefined) return false;
    return issuers.some((issuer) => this.#fingerprints.has(issuer));
  }
}

function fingerprints(pem: string): string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('there is no certificate in it');
  return blocks.map((block) => new X509Certificate(block).fingerprint256);
}
