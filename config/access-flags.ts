import type { Flag } from './flag.ts';
import { OIDC_FLAGS, type OidcConfig } from './oidc-flags.ts';
import { commaList, secondsBetween, someOf, trueOrFalse } from './parsers.ts';

/** Who may come in, and what they may do. */
export interface AccessConfig extends OidcConfig {
  readonly clientCaFile: string | undefined;
  readonly tokenAuthFile: string | undefined;
  readonly anonymousAuth: boolean;
  readonly apiAudiences: readonly string[];
  readonly authenticationConfig: string | undefined;
  readonly authenticationTokenWebhookConfigFile: string | undefined;
  readonly authenticationTokenWebhookCacheTtl: number;
  readonly requestheaderClientCaFile: string | undefined;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  readonly authorizationConfig: string | undefined;
  readonly authorizationMode: readonly string[] | undefined;
  readonly authorizationWebhookConfigFile: string | undefined;
  readonly authorizationWebhookCacheAuthorizedTtl: number;
  readonly authorizationWebhookCacheUnauthorizedTtl: number;
  readonly streamRecheckPeriod: number;
  readonly enableAdmissionPlugins: readonly string[];
}

/** The admission plugin that checks who may change owner references. */
export const OWNER_PERMISSIONS = 'OwnerReferencesPermissionEnforcement';

const AUTHORIZATION_MODES = ['RBAC', 'Webhook', 'AlwaysAllow', 'AlwaysDeny'] as const;

const headerNames = (text: string): string[] => commaList(text).map((name) => name.toLowerCase());
const ttl = secondsBetween(0, 24 * 3600);

export const ACCESS_FLAGS: readonly Flag<AccessConfig>[] = [
  {
    name: 'clientCaFile',
    flags: '--client-ca-file <file>',
    description:
      'PEM file of the authorities whose client certificates are accepted (CN is the user, O the groups), beside the generated authority; read again when it changes',
  },
  {
    name: 'tokenAuthFile',
    flags: '--token-auth-file <file>',
    description:
      'CSV file of static bearer tokens: token,user,uid,"group1,group2"; read again when it changes',
  },
  {
    name: 'anonymousAuth',
    flags: '--anonymous-auth [true|false]',
    description:
      'whether requests without credentials may ask for /healthz, /livez and /readyz; other paths only as --authentication-config says',
    default: true,
    parse: trueOrFalse,
  },
  {
    name: 'apiAudiences',
    flags: '--api-audiences <names>',
    description: 'comma-separated audiences of tokens that are made for this server',
    default: [],
    parse: commaList,
  },
  {
    name: 'authenticationConfig',
    flags: '--authentication-config <file>',
    description:
      'file with an AuthenticationConfiguration: issuers of JSON Web Tokens, and where anonymous requests are let in; read again when it changes',
  },
  ...OIDC_FLAGS,
  {
    name: 'authenticationTokenWebhookConfigFile',
    flags: '--authentication-token-webhook-config-file <file>',
    description: 'kubeconfig of a server that is asked about bearer tokens by TokenReviews',
  },
  {
    name: 'authenticationTokenWebhookCacheTtl',
    flags: '--authentication-token-webhook-cache-ttl <seconds>',
    description: 'how long its answers are remembered',
    default: 120,
    parse: ttl,
  },
  {
    name: 'requestheaderClientCaFile',
    flags: '--requestheader-client-ca-file <file>',
    description:
      'PEM file of the authorities of proxies in front, which tell the user in headers; read again when it changes',
  },
  {
    name: 'requestheaderAllowedNames',
    flags: '--requestheader-allowed-names <names>',
    description:
      'comma-separated common names of certificates of such proxies; none: every name that the authority has signed',
    default: [],
    parse: commaList,
  },
  {
    name: 'requestheaderUsernameHeaders',
    flags: '--requestheader-username-headers <names>',
    description: 'headers in which a proxy tells the user name',
    default: ['x-remote-user'],
    parse: headerNames,
  },
  {
    name: 'requestheaderUidHeaders',
    flags: '--requestheader-uid-headers <names>',
    description: 'headers in which a proxy tells the uid',
    default: ['x-remote-uid'],
    parse: headerNames,
  },
  {
    name: 'requestheaderGroupHeaders',
    flags: '--requestheader-group-headers <names>',
    description: 'headers in which a proxy tells the groups',
    default: ['x-remote-group'],
    parse: headerNames,
  },
  {
    name: 'requestheaderExtraHeadersPrefix',
    flags: '--requestheader-extra-headers-prefix <prefixes>',
    description: 'what headers begin with in which a proxy tells more about the user',
    default: ['x-remote-extra-'],
    parse: headerNames,
  },
  {
    name: 'authorizationConfig',
    flags: '--authorization-config <file>',
    description:
      'file with an AuthorizationConfiguration: who decides, in which order, and which webhooks are asked about which requests; instead of the other flags of authorization; read again when it changes',
  },
  {
    name: 'authorizationMode',
    flags: '--authorization-mode <modes>',
    description: `who decides what a user may do, in this order: ${AUTHORIZATION_MODES.join(', ')}. Default: RBAC`,
    parse: someOf(AUTHORIZATION_MODES),
  },
  {
    name: 'authorizationWebhookConfigFile',
    flags: '--authorization-webhook-config-file <file>',
    description:
      'kubeconfig of a server that is asked by SubjectAccessReviews; with --authorization-mode Webhook',
  },
  {
    name: 'authorizationWebhookCacheAuthorizedTtl',
    flags: '--authorization-webhook-cache-authorized-ttl <seconds>',
    description: 'how long it is remembered that it has allowed something',
    default: 300,
    parse: ttl,
  },
  {
    name: 'authorizationWebhookCacheUnauthorizedTtl',
    flags: '--authorization-webhook-cache-unauthorized-ttl <seconds>',
    description: 'how long it is remembered that it has not',
    default: 30,
    parse: ttl,
  },
  {
    name: 'streamRecheckPeriod',
    flags: '--stream-recheck-period <seconds>',
    description:
      'how often open watches and upgraded connections are authenticated and authorized again, from 1 to 25; one that is no longer allowed ends',
    default: 20,
    parse: secondsBetween(1, 25),
  },
  {
    name: 'enableAdmissionPlugins',
    flags: '--enable-admission-plugins <names>',
    description: `comma-separated plugins beside those that are always on. ${OWNER_PERMISSIONS}: who changes the owners of an object must be allowed to delete it, and to set finalizers on an owner whose deletion it blocks`,
    default: [],
    parse: someOf([OWNER_PERMISSIONS]),
  },
];
