import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../api/clock.ts';
import type { JsonObject } from '../../api/json.ts';
import {
  authenticated,
  CredentialError,
  UndecidedCredential,
  type TokenAuthenticator,
  type TokenOwner,
} from '../authentication/authenticator.ts';
import { audiencesOf, issuerOf } from '../authentication/jwt/unverified.ts';
import {
  accountIn,
  BOUND_KINDS,
  boundObjectsIn,
  groupsOf,
  privateClaims,
  userNameOf,
  type Account,
  type BoundObject,
} from './claims.ts';
import type { Holders } from './lookup.ts';
import type { KeyRing } from './signing-keys.ts';

const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

interface AccountTokensOptions {
  readonly issuer: string;
  /** Names of this server as the audience of tokens. */
  readonly audiences: readonly string[];
  readonly keys: () => KeyRing;
  readonly holders: Holders;
  readonly clock: Clock;
}

interface TokenOrder {
  readonly account: Account;
  readonly bound: BoundObject | undefined;
  readonly audiences: readonly string[];
  readonly seconds: number;
}

/**
 * Tokens of service accounts: this server signs them, and takes them as long as
 * the account, and what they are bound to, are there. Source: behaviours 9.21.
 */
export class AccountTokens implements TokenAuthenticator {
  readonly name = 'service accounts';
  readonly #options: AccountTokensOptions;

  constructor(options: AccountTokensOptions) {
    this.#options = options;
  }

  /** The audience of tokens for which the client names none. */
  get audiences(): readonly string[] {
    return this.#options.audiences;
  }

  /** `expires`: milliseconds since 1970. */
  async issue(order: TokenOrder): Promise<{ token: string; expires: number }> {
    const { issuer, keys, clock } = this.#options;
    const { signer } = keys();
    const now = Math.floor(clock.now() / 1000);
    const expires = now + order.seconds;
    const token = await new SignJWT(privateClaims(order.account, order.bound))
      .setProtectedHeader({ alg: signer.algorithm, kid: signer.id })
      .setIssuer(issuer)
      .setSubject(userNameOf(order.account))
      .setAudience([...order.audiences])
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(expires)
      .setJti(randomUUID())
      .sign(signer.key);
    return { token, expires: expires * 1000 };
  }

  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): TokenOwner | undefined | Promise<TokenOwner | undefined> {
    return issuerOf(token) === this.#options.issuer ? this.#owner(token, audiences) : undefined;
  }

  async #owner(token: string, wanted: readonly string[]): Promise<TokenOwner> {
    const asked = wanted.length === 0 ? this.#options.audiences : wanted;
    const claims = await this.#verified(token, asked);
    const account = accountIn(claims);
    if (account === undefined) throw new CredentialError('the token names no service account');
    await this.#checkPresent(account, boundObjectsIn(claims));
    const { jti } = claims;
    const user = {
      name: userNameOf(account),
      uid: account.uid,
      groups: groupsOf(account),
      extra: typeof jti === 'string' ? { [CREDENTIAL_ID]: [`JTI=${jti}`] } : {},
    };
    const made = audiencesOf(claims);
    return {
      user: authenticated(user),
      audiences: asked.filter((audience) => made.includes(audience)),
    };
  }

  async #verified(token: string, audience: readonly string[]): Promise<JsonObject> {
    const { issuer, keys, clock } = this.#options;
    const { find, algorithms } = keys();
    try {
      const { payload } = await jwtVerify(token, find, {
        issuer,
        audience: [...audience],
        algorithms: [...algorithms],
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(clock.now()),
      });
      return payload as JsonObject;
    } catch (error) {
      // the token itself stands in no message of the library
      if (!(error instanceof errors.JOSEError)) throw error;
      const why = `a token of a service account is not valid: ${error.message}`;
      throw new CredentialError(why, { cause: error });
    }
  }

  async #checkPresent(account: Account, bound: readonly BoundObject[]): Promise<void> {
    const { namespace, name, uid } = account;
    if (!(await this.#isPresent({ resource: 'serviceaccounts', namespace, name }, uid))) {
      throw new CredentialError(`the service account ${namespace}/${name} no longer exists`);
    }
    for (const { kind, ...object } of bound) {
      const resource = BOUND_KINDS.get(kind)?.resource ?? '';
      const holder = { resource, namespace: kind === 'Node' ? '' : namespace, name: object.name };
      if (await this.#isPresent(holder, object.uid)) continue;
      throw new CredentialError(
        `the token is bound to the ${kind} ${object.name}, which no longer exists`,
      );
    }
  }

  async #isPresent(...[holder, uid]: Parameters<Holders['isPresent']>): Promise<boolean> {
    try {
      return await this.#options.holders.isPresent(holder, uid);
    } catch (error) {
      throw new UndecidedCredential('the store does not answer', { cause: error });
    }
  }
}
