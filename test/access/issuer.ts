import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { answerJson, TlsServer } from '../support/tls-server.ts';

type Key = Awaited<ReturnType<typeof generateKeyPair>>;

/** An issuer of JSON Web Tokens, with discovery document and keys over HTTPS. */
export class Issuer {
  readonly server: TlsServer;
  readonly #keys = new Map<string, Key>();
  #kid = '';
  /** Says of no key and no token which one it is. */
  isNameless = false;

  private constructor(server: TlsServer) {
    this.server = server;
  }

  static async start(): Promise<Issuer> {
    const server = await TlsServer.start({
      handler: (_, response) => answerJson(response, {}, 404),
    });
    const issuer = new Issuer(server);
    await issuer.rotate();
    server.handler = async ({ url }, response) => {
      if (url === '/.well-known/openid-configuration') {
        answerJson(response, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
      } else answerJson(response, { keys: await issuer.#published() });
    };
    return issuer;
  }

  get url(): string {
    return this.server.url;
  }

  get authority(): string {
    return Buffer.from(this.server.caBundle, 'base64').toString();
  }

  /** How often the keys were asked for. */
  get fetches(): number {
    return this.server.requests.filter(({ url }) => url === '/keys').length;
  }

  /** From now on signs with another key, and forgets the one before. */
  async rotate(): Promise<void> {
    const key = await generateKeyPair('ES256', { extractable: true });
    this.#kid = await calculateJwkThumbprint(await exportJWK(key.publicKey));
    this.#keys.clear();
    this.#keys.set(this.#kid, key);
  }

  /** Publishes one more key, and still signs with the first. */
  async addKey(): Promise<void> {
    const key = await generateKeyPair('ES256', { extractable: true });
    this.#keys.set(`further-${this.#keys.size}`, key);
  }

  async #published(): Promise<object[]> {
    return Promise.all(
      [...this.#keys].reverse().map(async ([kid, { publicKey }]) => ({
        ...(await exportJWK(publicKey)),
        ...(this.isNameless ? {} : { kid }),
      })),
    );
  }

  /** `now`: milliseconds; the token lives five minutes. */
  token(claims: JWTPayload, now = Date.now()): Promise<string> {
    const seconds = Math.floor(now / 1000);
    const payload = { iss: this.url, aud: 'plinth', iat: seconds, exp: seconds + 300, ...claims };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', ...(this.isNameless ? {} : { kid: this.#kid }) })
      .sign(this.#keys.get(this.#kid)!.privateKey);
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
