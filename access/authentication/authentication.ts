import type { HttpsClient } from '../../outbound/https-client.ts';
import type { Clock } from '../../api/clock.ts';
import type { AccessConfig } from '../../config/access-flags.ts';
import type { Peer } from '../../http/message.ts';
import type { WatchedFiles } from '../../outbound/watched-file.ts';
import { ReviewClient } from '../../outbound/review-client.ts';
import { readAuthenticationConfiguration } from './authentication-file.ts';
import type { Authenticator, TokenAuthenticator } from './authenticator.ts';
import { bearerAuthenticator, TokenUnion } from './bearer-token.ts';
import { ClientAuthorities } from './client-authorities.ts';
import { clientCertificate } from './client-certificate.ts';
import { frontProxy } from './front-proxy.ts';
import type { AuthenticationConfiguration } from './jwt/configuration.ts';
import type { IdentityHeaders } from './identity-headers.ts';
import { JwtAuthenticator } from './jwt/jwt-authenticator.ts';
import { jwtOfFlags } from './jwt/oidc-flags.ts';
import { TokenFile } from './token-file.ts';
import { takeWebSocketToken } from './websocket-token.ts';
import { WebhookTokens } from './webhook-tokens.ts';

/** Who may come in. */
export interface Authentication {
  readonly authenticators: readonly Authenticator[];
  /** Every kind of bearer tokens, for TokenReview. */
  readonly tokens: TokenAuthenticator;
  readonly allowsAnonymous: (path: string) => boolean;
  /** Headers that carry identities in addition to the usual ones. */
  readonly identityHeaders: IdentityHeaders;
}

interface AuthenticationParts {
  readonly config: AccessConfig;
  /** PEM of the authority that this server has made for itself. */
  readonly clientAuthority: string;
  readonly client: HttpsClient;
  /** Tokens of service accounts. */
  readonly accounts: TokenAuthenticator;
  readonly clock: Clock;
  /** Has the certificate of a connection been revoked? */
  readonly isRevoked: (peer: Peer) => boolean;
  /** Calls back when one of the files is another than before. */
  readonly onChange: (files: WatchedFiles, reload: () => void) => void;
}

const HEALTH_PATHS: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

/** @throws Error with one line for the operator */
export function authenticationOf(parts: AuthenticationParts): Authentication {
  const { config } = parts;
  const file = configurationFile(parts);
  const tokens = new TokenUnion(tokenKinds(parts, file));
  return {
    authenticators: [
      ...proxyAuthenticators(parts),
      clientCertificate(clientTrust(parts)),
      bearerAuthenticator('bearer', tokens),
      bearerAuthenticator('websocket', tokens, takeWebSocketToken),
    ],
    tokens,
    allowsAnonymous: (path) => config.anonymousAuth && isOpen(file.anonymous(), path),
    identityHeaders: {
      names: [
        ...config.requestheaderUsernameHeaders,
        ...config.requestheaderUidHeaders,
        ...config.requestheaderGroupHeaders,
      ],
      prefixes: config.requestheaderExtraHeadersPrefix,
    },
  };
}

/** By default, anonymous requests may read the health endpoints only. */
function isOpen(anonymous: AuthenticationConfiguration['anonymous'], path: string): boolean {
  if (anonymous === undefined) return HEALTH_PATHS.has(path);
  if (!anonymous.enabled) return false;
  const { conditions = [] } = anonymous;
  return conditions.length === 0 || conditions.some((condition) => condition.path === path);
}

interface ConfigurationFile {
  readonly anonymous: () => AuthenticationConfiguration['anonymous'];
  readonly jwt: JwtAuthenticator;
}

function configurationFile({
  config,
  client,
  clock,
  onChange,
}: AuthenticationParts): ConfigurationFile {
  const jwt = new JwtAuthenticator(client, clock);
  const { authenticationConfig: file } = config;
  const flags = jwtOfFlags(config);
  if (file === undefined) {
    if (flags !== undefined) trustFlags(jwt, config, onChange);
    return { jwt, anonymous: () => undefined };
  }
  if (flags !== undefined)
    throw new Error('--oidc-issuer-url cannot be used with --authentication-config');
  let anonymous: AuthenticationConfiguration['anonymous'];
  const read = (): void => {
    const configuration = readAuthenticationConfiguration(file);
    jwt.trust(configuration.jwt ?? []);
    anonymous = configuration.anonymous;
  };
  read();
  onChange([file], read);
  return { jwt, anonymous: () => anonymous };
}

/** The issuer of the flags, whose authority may change. */
function trustFlags(
  jwt: JwtAuthenticator,
  config: AccessConfig,
  onChange: AuthenticationParts['onChange'],
): void {
  const trust = (): void => jwt.trust([jwtOfFlags(config)].filter((one) => one !== undefined));
  trust();
  if (config.oidcCaFile !== undefined) onChange([config.oidcCaFile], trust);
}

function tokenKinds(parts: AuthenticationParts, { jwt }: ConfigurationFile): TokenAuthenticator[] {
  const { config, client, clock, onChange } = parts;
  const kinds: TokenAuthenticator[] = [];
  if (config.tokenAuthFile !== undefined) {
    const file = new TokenFile(config.tokenAuthFile);
    onChange([file.file], () => file.reload());
    kinds.push(file);
  }
  kinds.push(parts.accounts, jwt);
  if (config.authenticationTokenWebhookConfigFile !== undefined) {
    const reviews = new ReviewClient(config.authenticationTokenWebhookConfigFile, client);
    const webhook = new WebhookTokens({
      client: reviews,
      clock,
      ttlMs: config.authenticationTokenWebhookCacheTtl * 1000,
      audiences: config.apiAudiences,
    });
    onChange(
      () => reviews.files,
      () => {
        reviews.reload();
        webhook.forget();
      },
    );
    kinds.push(webhook);
  }
  return kinds;
}

/** An authority of proxies vouches for no client, unless it is one of clients as well. */
function clientTrust(parts: AuthenticationParts): (peer: Peer) => boolean {
  const { clientCaFile } = parts.config;
  const clients = new ClientAuthorities(parts.clock, clientCaFile, [parts.clientAuthority]);
  if (clientCaFile !== undefined) parts.onChange([clientCaFile], () => clients.reload());
  return (peer) => clients.vouchFor(peer) && !parts.isRevoked(peer);
}

function proxyAuthenticators({ config, clock, onChange }: AuthenticationParts): Authenticator[] {
  const { requestheaderClientCaFile: file } = config;
  if (file === undefined) return [];
  const proxies = new ClientAuthorities(clock, file);
  onChange([file], () => proxies.reload());
  return [
    frontProxy({
      usernameHeaders: config.requestheaderUsernameHeaders,
      uidHeaders: config.requestheaderUidHeaders,
      groupHeaders: config.requestheaderGroupHeaders,
      extraPrefixes: config.requestheaderExtraHeadersPrefix,
      allowedNames: config.requestheaderAllowedNames,
      isProxy: (peer) => proxies.vouchFor(peer),
    }),
  ];
}
