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
      'issuer of JSON Web Tokens that are accepted; with --oidc-client-id, and not with --authentication-config',
  },
  {
    name: 'oidcClientId',
    flags: '--oidc-client-id <id>',
    description: 'audience that its tokens must be made for',
  },
  {
    name: 'oidcCaFile',
    flags: '--oidc-ca-file <file>',
    description:
      'PEM file of the authority that signed its certificate; read again when it changes',
  },
  {
    name: 'oidcUsernameClaim',
    flags: '--oidc-username-claim <claim>',
    description: 'claim that is the name of the user',
    default: 'sub',
  },
  {
    name: 'oidcUsernamePrefix',
    flags: '--oidc-username-prefix <prefix>',
    description:
      'what is put before the name; "-" for nothing. Default: the URL of the issuer and #, for every claim but email',
  },
  {
    name: 'oidcGroupsClaim',
    flags: '--oidc-groups-claim <claim>',
    description: 'claim that is the groups of the user',
  },
  {
    name: 'oidcGroupsPrefix',
    flags: '--oidc-groups-prefix <prefix>',
    description: 'what is put before every group',
    default: '',
  },
  {
    name: 'oidcRequiredClaim',
    flags: '--oidc-required-claim <claim=value>',
    description: 'claim that a token must have, with its value; may come several times',
    default: [],
    parse: repeated,
  },
  {
    name: 'oidcSigningAlgs',
    flags: '--oidc-signing-algs <names>',
    description: 'comma-separated algorithms of signatures that are accepted',
    default: ['RS256'],
    parse: commaList,
  },
];
