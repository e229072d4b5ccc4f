import type { Flag } from './flag.ts';
import { commaList, repeated } from './parsers.ts';

/** One issuer of JSON Web Tokens; several are described in --authentication-config. */
export interface OidcConfig {
  readonly oidcIssuerUrl: string | undefined;
  readonly oidcClientId: string | undefined;
  readonly oidcCaFile: string | undefined;
  readonly oidcUsernameClaim: string;
  readonly oidcUsernamePrefix: string | undefined;
  readonly oidcGroupsClaim: string | undefined;
  readonly oidcGroupsPrefix: string;
  readonly oidcRequiredClaim: readonly string[];
  readonly oidcSigningAlgs: readonly string[];
}

export const OIDC_FLAGS: readonly Flag<OidcConfig>[] = [
  {
    name: 'oidcIssuerUrl',
    flags: '--oidc-issuer-url <url>',
    description:
      'URL of the issuer of accepted JSON Web Tokens; requires --oidc-client-id, excludes --authentication-config',
  },
  {
    name: 'oidcClientId',
    flags: '--oidc-client-id <id>',
    description: 'audience that tokens of the OIDC issuer must have',
  },
  {
    name: 'oidcCaFile',
    flags: '--oidc-ca-file <file>',
    description:
      'PEM file of the certificate authority of the OIDC issuer; reloaded when it changes',
  },
  {
    name: 'oidcUsernameClaim',
    flags: '--oidc-username-claim <claim>',
    description: 'claim that holds the user name',
    default: 'sub',
  },
  {
    name: 'oidcUsernamePrefix',
    flags: '--oidc-username-prefix <prefix>',
    description:
      'prefix of user names; "-" for none. Default: the URL of the issuer and #, for every claim but email',
  },
  {
    name: 'oidcGroupsClaim',
    flags: '--oidc-groups-claim <claim>',
    description: 'claim that holds the groups of the user',
  },
  {
    name: 'oidcGroupsPrefix',
    flags: '--oidc-groups-prefix <prefix>',
    description: 'prefix of group names',
    default: '',
  },
  {
    name: 'oidcRequiredClaim',
    flags: '--oidc-required-claim <claim=value>',
    description: 'claim and value that a token must have; may be repeated',
    default: [],
    parse: repeated,
  },
  {
    name: 'oidcSigningAlgs',
    flags: '--oidc-signing-algs <names>',
    description: 'comma-separated signature algorithms that are accepted',
    default: ['RS256'],
    parse: commaList,
  },
];
