import { errors } from 'jose';
import type { HttpsClient } from '../../../outbound/https-client.ts';
import type { Clock } from '../../../api/clock.ts';
import type { JsonObject } from '../../../api/json.ts';
import {
  authenticated,
  CredentialError,
  UndecidedCredential,
  type TokenAuthenticator,
  type TokenOwner,
} from '../authenticator.ts';
import { SIGNATURE_ALGORITHMS } from './algorithms.ts';
import { userOfClaims, type UserOfClaims } from './claim-mappings.ts';
import type { JwtConfiguration } from './configuration.ts';
import { KeySet } from './key-set.ts';
import { audiencesOf, issuerOf } from './unverified.ts';
import { WaitingTokens } from '../waiting-tokens.ts';
import { verifyToken } from './verify-token.ts';

interface Issuer {
  readonly configuration: JwtConfiguration;
  readonly keys: KeySet;
  /** Of this issuer: one that hangs leaves the tokens of the others alone. */
  readonly waiting: WaitingTokens;
  readonly userOf: UserOfClaims;
}

/** JSON Web Tokens of the issuers that this server was told to trust. Source: behaviours 10.1. */
export class JwtAuthenticator implements TokenAuthenticator {
  readonly name = 'jwt';
  readonly #client: HttpsClient;
  readonly #clock: Clock;
  #issuers: ReadonlyMap<string, Issuer> = new Map();

  constructor(client: HttpsClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /**
   * Trusts these issuers from now on, and no others. Keys of those that have not
   * changed stay known.
   *
   * @throws Error that names the field; then those before stay
   */
  trust(configurations: readonly JwtConfiguration[]): void {
    const issuers = new Map<string, Issuer>();
    for (const [i, configuration] of configurations.entries()) {
      const { issuer } = configuration;
      const before = this.#issuers.get(issuer.url);
      const isSame =
        JSON.stringify(before?.configuration.issuer) === JSON.stringify(issuer)
          ? before
          : undefined;
      issuers.set(issuer.url, {
        configuration,
        keys: isSame?.keys ?? new KeySet(issuer, this.#client, this.#clock),
        waiting: isSame?.waiting ?? new WaitingTokens(),
        userOf: userOfClaims(configuration, `jwt.${i}`),
      });
    }
    this.#issuers = issuers;
  }

  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): TokenOwner | undefined | Promise<TokenOwner | undefined> {
    if (this.#issuers.size === 0) return undefined;
    const issuer = this.#issuers.get(issuerOf(token) ?? '');
    return issuer?.waiting.while(token, () => this.#verified(token, issuer, audiences));
  }

  async #verified(
    token: string,
    { configuration, keys, userOf }: Issuer,
    audiences: readonly string[],
  ): Promise<TokenOwner> {
    const { issuer, algorithms = SIGNATURE_ALGORITHMS } = configuration;
    let payload: JsonObject;
    try {
      payload = (await verifyToken(token, keys, {
        issuer: issuer.url,
        audience: [...issuer.audiences],
        algorithms: [...algorithms],
        requiredClaims: ['exp'],
        currentDate: new Date(this.#clock.now()),
      })) as JsonObject;
    } catch (error) {
      // The token itself stands in no message of the library.
      const invalid = `a token of ${issuer.url} is not valid`;
      if (error instanceof errors.JOSEError) {
        throw new CredentialError(`${invalid}: ${error.message}`, { cause: error });
      }
      throw new UndecidedCredential(`${invalid}: its keys could not be fetched`, { cause: error });
    }
    const made = audiencesOf(payload).filter((audience) => issuer.audiences.includes(audience));
    const common = audiences.filter((audience) => made.includes(audience));
    if (audiences.length > 0 && common.length === 0) {
      throw new CredentialError(`the token of ${issuer.url} has another audience`);
    }
    return {
      user: authenticated(userOf(payload)),
      audiences: audiences.length > 0 ? common : made,
    };
  }
}
