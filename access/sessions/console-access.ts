import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '../../api/clock.ts';
import type { UserInfo } from '../../api/user.ts';
import { authenticated, type TokenAuthenticator } from '../authentication/authenticator.ts';
import { ADMIN_GROUP, ADMIN_NAME } from '../pki/credentials.ts';
import type { ConsoleConfig } from '../../config/console-flags.ts';
import { FlagError } from '../../config/command-line.ts';
import type { OidcConfig } from '../../config/oidc-flags.ts';
import { readPem } from '../../http/pem.ts';
import type { HttpsClient } from '../../outbound/https-client.ts';
import type { Store } from '../../storage/interface.ts';
import type { AttemptCounter } from './attempts.ts';
import { OidcSignIn, type OidcClient } from './oidc-sign-in.ts';
import { SessionRecords } from './session-records.ts';
import { Sessions } from './sessions.ts';
import { SignInCodes } from './sign-in-codes.ts';

/** How people sign in to the console. */
export interface ConsoleAccess {
  readonly sessions: Sessions;
  readonly codes: SignInCodes;
  readonly attempts: AttemptCounter;
  /** Undefined: there is no issuer to sign in at. */
  readonly oidc: OidcSignIn | undefined;
  /** Whom a code signs in: the user of the admin kubeconfig, which lies on the same machine. */
  readonly administrator: UserInfo;
}

const CODE_BYTES = 32;

interface ConsoleAccessParts {
  readonly config: ConsoleConfig & OidcConfig;
  readonly tokens: TokenAuthenticator;
  /** Keeps the sessions and codes of all servers. */
  readonly store: Store;
  /** Calls the issuer. */
  readonly client: HttpsClient;
  readonly attempts: AttemptCounter;
  readonly clock: Clock;
}

/** @throws FlagError when the flags do not fit each other */
export function consoleAccess(parts: ConsoleAccessParts): ConsoleAccess {
  const { config, tokens, store, client: https, attempts, clock } = parts;
  const client = oidcClientOf(config);
  return {
    sessions: new Sessions({ records: new SessionRecords(store), tokens, clock }),
    codes: new SignInCodes({ store, clock, newCode }),
    attempts,
    oidc: client && new OidcSignIn({ client, https }),
    administrator: authenticated({
      ...{ name: ADMIN_NAME, uid: '', groups: [ADMIN_GROUP], extra: {} },
    }),
  };
}

function newCode(): string {
  return randomBytes(CODE_BYTES).toString('base64url');
}

/** The issuer is that of the tokens, unless a flag names another one that the server trusts. */
function oidcClientOf(config: ConsoleConfig & OidcConfig): OidcClient | undefined {
  const { consoleOidcClientId: clientId, consoleOidcClientSecretFile: file } = config;
  const issuer = config.consoleOidcIssuerUrl ?? config.oidcIssuerUrl;
  if (clientId === undefined) return undefined;
  if (issuer === undefined) {
    throw new FlagError(
      '--console-oidc-client-id requires --console-oidc-issuer-url or --oidc-issuer-url',
    );
  }
  const authority = config.consoleOidcCaFile ?? config.oidcCaFile;
  return {
    ...{ issuer, clientId, scopes: config.consoleOidcScopes },
    clientSecret: file === undefined ? undefined : readFileSync(file, 'utf8').trim(),
    authorities: authority === undefined ? undefined : readPem(authority),
  };
}
