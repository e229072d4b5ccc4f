import { andThen } from '../../api/and-then.ts';
import type { UserInfo } from '../../api/user.ts';
import {
  CredentialError,
  UndecidedCredential,
  type Authenticator,
  type Credentials,
  type TokenAuthenticator,
  type TokenOwner,
} from './authenticator.ts';

/** Longer than any real token. */
const MAX_TOKEN_LENGTH = 64 * 1024;

/** The token of an `Authorization: Bearer …` header. */
function bearerToken({ headers }: Credentials): string | undefined {
  const header = headers.authorization?.trim() ?? '';
  const space = header.indexOf(' ');
  if (space < 0 || header.slice(0, space).toLowerCase() !== 'bearer') return undefined;
  const token = header.slice(space + 1).trim();
  return token === '' ? undefined : token;
}

/** Bearer tokens of every kind, from wherever `tokenOf` finds them. */
export function bearerAuthenticator(
  name: string,
  tokens: TokenAuthenticator,
  tokenOf: (request: Credentials) => string | undefined = bearerToken,
): Authenticator {
  return {
    name,
    authenticate(request) {
      const token = tokenOf(request);
      if (token === undefined) return undefined;
      const owner = tokens.authenticateToken(token, []);
      return andThen(owner, userOf);
    },
  };
}

function userOf(owner: TokenOwner | undefined): UserInfo {
  if (owner === undefined) throw new CredentialError('the token is unknown');
  return owner.user;
}

/**
 * Tokens of several kinds: the first that recognises one decides. One that
 * fails does not keep the others from being asked (behaviours 10.1).
 */
export class TokenUnion implements TokenAuthenticator {
  readonly name = 'tokens';
  readonly #kinds: readonly TokenAuthenticator[];

  constructor(kinds: readonly TokenAuthenticator[]) {
    this.#kinds = kinds;
  }

  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): TokenOwner | undefined | Promise<TokenOwner | undefined> {
    if (token.length > MAX_TOKEN_LENGTH) throw new CredentialError('the token is too long');
    return this.#from(0, token, audiences, []);
  }

  /** Answers at once as long as every kind does. */
  #from(
    index: number,
    token: string,
    audiences: readonly string[],
    errors: readonly unknown[],
  ): TokenOwner | undefined | Promise<TokenOwner | undefined> {
    for (let i = index; i < this.#kinds.length; i++) {
      try {
        const owner = this.#kinds[i]?.authenticateToken(token, audiences);
        if (owner instanceof Promise) {
          const next = i + 1;
          const failed = errors;
          return owner.then(
            (found) => found ?? this.#from(next, token, audiences, failed),
            (error: unknown) => this.#from(next, token, audiences, [...failed, error]),
          );
        }
        if (owner !== undefined) return owner;
      } catch (error) {
        errors = [...errors, error];
      }
    }
    if (errors.length === 0) return undefined;
    const isUndecided = errors.some((error) => error instanceof UndecidedCredential);
    const Refusal = isUndecided ? UndecidedCredential : CredentialError;
    throw new Refusal('no authenticator takes the token', {
      cause: errors.length === 1 ? errors[0] : new AggregateError(errors),
    });
  }
}
