import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { Server } from 'node:https';
import { trustPartialChains } from './partial-chains.ts';

interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

interface NamedCertificate extends CertificateAndKey {
  /** None: those in the certificate. */
  readonly names: readonly string[];
}

/** What is shown to clients, and trusted of them. */
export interface TlsOptions extends CertificateAndKey {
  /** Authorities whose client certificates are trusted. */
  readonly clientAuthorities: readonly string[];
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
  /** As OpenSSL names them; none: Node's own choice. */
  readonly ciphers: readonly string[];
  readonly named: readonly NamedCertificate[];
}

interface NamedContext {
  readonly matches: (name: string) => boolean;
  readonly context: SecureContext;
}

/**
 * The certificates of a server, to be replaced while it runs: new connections
 * see the new ones; old connections, which stay, and resumed sessions, which
 * do not (their keys go with the context), see nothing of it.
 */
export class TlsContexts {
  #options: TlsOptions;
  #named: readonly NamedContext[];

  /** @throws Error when a key does not fit its certificate */
  constructor(options: TlsOptions) {
    this.#options = options;
    this.#named = namedContexts(options);
  }

  get options(): SecureContextOptions {
    return contextOptions(this.#options, this.#options);
  }

  /** The context for a name that a client asks for; undefined: the server's own. */
  readonly byName = (
    name: string,
    done: (error: Error | null, context?: SecureContext) => void,
  ): void => done(null, this.#named.find(({ matches }) => matches(name))?.context);

  /** @throws Error when a key does not fit its certificate; nothing has changed then */
  replace(options: TlsOptions, server: Server): void {
    const named = namedContexts(options);
    server.setSecureContext(contextOptions(options, options));
    trustPartialChains(server);
    this.#options = options;
    this.#named = named;
  }
}

function contextOptions(
  tls: TlsOptions,
  { certificate, key }: CertificateAndKey,
): SecureContextOptions {
  const { clientAuthorities, minVersion, ciphers } = tls;
  return {
    cert: certificate,
    key,
    ca: [...clientAuthorities],
    // As in Go: what the file lists is trusted, be it an authority in the middle of a chain.
    allowPartialTrustChain: true,
    minVersion,
    ...(ciphers.length === 0 ? {} : { ciphers: ciphers.join(':') }),
  };
}

function namedContexts(tls: TlsOptions): NamedContext[] {
  return tls.named.map((pair) => ({
    context: createSecureContext(contextOptions(tls, pair)),
    matches: matcherOf(pair),
  }));
}

function matcherOf({ certificate, names }: NamedCertificate): (name: string) => boolean {
  if (names.length === 0) {
    const parsed = new X509Certificate(certificate);
    return (name) => parsed.checkHost(name) !== undefined;
  }
  const exact = new Set(names.map((name) => name.toLowerCase()));
  return (asked) => {
    const name = asked.toLowerCase();
    const dot = name.indexOf('.');
    return exact.has(name) || (dot > 0 && exact.has(`*${name.slice(dot)}`));
  };
}
