import type { Credentials } from './authenticator.ts';
import { isIdentityHeader, type IdentityHeaders } from './identity-headers.ts';
import { sessionHeadersOf } from './session-cookie.ts';
import { secretDigest } from './token-digest.ts';

/** Where a WebSocket's token travels, and what says that it is one. */
const PROTOCOLS = 'sec-websocket-protocol';

/** The credentials of a request, kept for as long as its stream lasts, and nothing else of it. */
export class KeptCredentials {
  /** The same for the same credentials. It tells nothing of them. */
  readonly key: string;
  readonly #credentials: Credentials;

  /** To be made before the request is authenticated: that takes the credentials away. */
  constructor({ headers, rawHeaders, peer }: Credentials, more: IdentityHeaders) {
    const { authorization, upgrade } = headers;
    const kept: string[] = [];
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]];
      if (isIdentityHeader(name.toLowerCase(), more)) kept.push(name, value);
    }
    const session = sessionHeadersOf(headers);
    const own = { authorization, upgrade, [PROTOCOLS]: headers[PROTOCOLS], ...session };
    const certificate = peer.certificate?.fingerprint256;
    this.key = secretDigest(JSON.stringify([own, kept, certificate, peer.issuers]));
    this.#credentials = { headers: own, rawHeaders: kept, peer };
  }

  /** As they came. A copy, since some authenticators take away what they have read. */
  get request(): Credentials {
    const { headers, rawHeaders, peer } = this.#credentials;
    return { headers: { ...headers }, rawHeaders: [...rawHeaders], peer };
  }
}
