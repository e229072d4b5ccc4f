import type { Flag } from './flag.ts';
import { OIDC_FLAGS, type OidcConfig } from './oidc-flags.ts';
import { SERVICE_ACCOUNT_FLAGS, type ServiceAccountConfig } from './service-account-flags.ts';
import { commaList, secondsBetween, someOf, trueOrFalse } from './parsers.ts';

/** Who may come in, and what they may do. */
export interface AccessConfig extends OidcConfig, ServiceAccountConfig {
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
  readonly disableAdmissionPlugins: readonly string[];
  readonly allowPrivileged: boolean;
}

/** The admission plugin that checks who may change owner references. */
export const OWNER_PERMISSIONS = 'OwnerReferencesPermissionEnforcement';

/** Plugins of kube-apiserver for kinds and nodes that are not here: to disable them changes nothing. */
const ABSENT_PLUGINS = [
  'AlwaysPullImages',
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'LimitRanger',
  'NodeRestriction',
  'PersistentVolumeClaimResize',
  'PodSecurity',
  'Priority',
  'RuntimeClass',
  'ServiceAccount',
  'StorageObjectInUseProtection',
  'TaintNodesByCondition',
] as const;

const AUTHORIZATION_MODES = ['RBAC', 'Webhook', 'AlwaysAllow', 'AlwaysDeny'] as const;

const headerNames = (text: string): string[] => commaList(text).map((name) => name.toLowerCase());
const ttl = secondsBetween(0, 24 * 3600);

export const ACCESS_FLAGS: readonly Flag<AccessConfig>[] = [
  {
    name: 'clientCaFile',
    flags: '--client-ca-file <file>',
    description:
      'PEM file of the authorities whose client certificates are accepted (CN is the user, O the groups), in addition to the generated authority; reloaded when it changes',
  },
  {
    name: 'tokenAuthFile',
    flags: '--token-auth-file <file>',
    description:
      'CSV file of static bearer tokens: token,user,uid,"group1,group2"; reloaded when it changes',
  },
  {
    name: 'anonymousAuth',
    flags: '--anonymous-auth [true|false]',
    description:
      'whether requests without credentials may read /healthz, /livez and /readyz; other paths need --authentication-config',
    default: true,
    parse: trueOrFalse,
  },
  {
    name: 'apiAudiences',
    flags: '--api-audiences <names>',
    description:
      'comma-separated audiences that tokens for this server must have. Default for tokens of service accounts: their issuer',
    default: [],
    parse: commaList,
  },
  {
    name: 'authenticationConfig',
    flags: '--authentication-config <file>',
    description:
      'file with an AuthenticationConfiguration: issuers of JSON Web Tokens, and the paths open to anonymous requests; reloaded when it changes',
  },
  ...OIDC_FLAGS,
  ...SERVICE_ACCOUNT_FLAGS,
  {
    name: 'authenticationTokenWebhookConfigFile',
    flags: '--authentication-token-webhook-config-file <file>',
    description: 'kubeconfig of the webhook that authenticates bearer tokens with TokenReviews',
  },
  {
    name: 'authenticationTokenWebhookCacheTtl',
    flags: '--authentication-token-webhook-cache-ttl <seconds>',
    description: 'how long responses of the token webhook are cached',
    default: 120,
    parse: ttl,
  },
  {
    name: 'requestheaderClientCaFile',
    flags: '--requestheader-client-ca-file <file>',
    description:
      'PEM file of the authorities of authenticating proxies, which send the user in headers; reloaded when it changes',
  },
  {
    name: 'requestheaderAllowedNames',
    flags: '--requestheader-allowed-names <names>',
    description:
      'comma-separated common names that certificates of authenticating proxies may have; empty: any name',
    default: [],
    parse: commaList,
  },
  {
    name: 'requestheaderUsernameHeaders',
    flags: '--requestheader-username-headers <names>',
    description: 'comma-separated headers in which a proxy sends the user name',
    default: ['x-remote-user'],
    parse: headerNames,
  },
  {
    name: 'requestheaderUidHeaders',
    flags: '--requestheader-uid-headers <names>',
    description: 'comma-separated headers in which a proxy sends the uid of the user',
    default: ['x-remote-uid'],
    parse: headerNames,
  },
  {
    name: 'requestheaderGroupHeaders',
    flags: '--requestheader-group-headers <names>',
    description: 'comma-separated headers in which a proxy sends the groups of the user',
    default: ['x-remote-group'],
    parse: headerNames,
  },
  {
    name: 'requestheaderExtraHeadersPrefix',
    flags: '--requestheader-extra-headers-prefix <prefixes>',
    description:
      'comma-separated prefixes of the headers in which a proxy sends extra fields of the user',
    default: ['x-remote-extra-'],
    parse: headerNames,
  },
  {
    name: 'authorizationConfig',
    flags: '--authorization-config <file>',
    description:
      'file with an AuthorizationConfiguration: the authorizers, their order, and the requests that each webhook decides; excludes the other authorization flags; reloaded when it changes',
  },
  {
    name: 'authorizationMode',
    flags: '--authorization-mode <modes>',
    description: `comma-separated authorizers in the order in which they are asked, out of ${AUTHORIZATION_MODES.join(', ')}. Default: RBAC`,
    parse: someOf(AUTHORIZATION_MODES),
  },
  {
    name: 'authorizationWebhookConfigFile',
    flags: '--authorization-webhook-config-file <file>',
    description:
      'kubeconfig of the webhook that authorizes requests with SubjectAccessReviews; requires --authorization-mode Webhook',
  },
  {
    name: 'authorizationWebhookCacheAuthorizedTtl',
    flags: '--authorization-webhook-cache-authorized-ttl <seconds>',
    description: 'how long "allowed" responses of the authorization webhook are cached',
    default: 300,
    parse: ttl,
  },
  {
    name: 'authorizationWebhookCacheUnauthorizedTtl',
    flags: '--authorization-webhook-cache-unauthorized-ttl <seconds>',
    description: 'how long "denied" responses of the authorization webhook are cached',
    default: 30,
    parse: ttl,
  },
  {
    name: 'streamRecheckPeriod',
    flags: '--stream-recheck-period <seconds>',
    description:
      'how often open watches and upgraded connections are authenticated and authorized again, from 1 to 25; streams that are no longer allowed end',
    default: 20,
    parse: secondsBetween(1, 25),
  },
  {
    name: 'enableAdmissionPlugins',
    flags: '--enable-admission-plugins <names>',
    description: `comma-separated plugins to enable in addition to the default ones. ${OWNER_PERMISSIONS}: changing the owners of an object requires the permission to delete the object, and to set finalizers on an owner whose deletion it blocks`,
    default: [],
    parse: someOf([OWNER_PERMISSIONS]),
  },
  {
    name: 'disableAdmissionPlugins',
    flags: '--disable-admission-plugins <names>',
    description: `comma-separated plugins to disable, for compatibility. Accepted are only plugins that this server does not have: ${ABSENT_PLUGINS.join(', ')}; the server's own plugins cannot be disabled`,
    default: [],
    parse: someOf(ABSENT_PLUGINS),
  },
  {
    name: 'allowPrivileged',
    flags: '--allow-privileged [true|false]',
    description: 'accepted for callers of kube-apiserver; nothing runs Pods here',
    default: false,
    parse: trueOrFalse,
  },
];
