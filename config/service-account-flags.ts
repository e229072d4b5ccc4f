import type { Flag } from './flag.ts';
import { commaList, secondsBetween } from './parsers.ts';

/** Tokens of service accounts. */
export interface ServiceAccountConfig {
  readonly serviceAccountIssuer: string;
  /** Seconds; undefined: as long as clients ask for. */
  readonly serviceAccountMaxTokenExpiration: number | undefined;
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountSigningKeyFile: string | undefined;
}

export const SERVICE_ACCOUNT_FLAGS: readonly Flag<ServiceAccountConfig>[] = [
  {
    name: 'serviceAccountIssuer',
    flags: '--service-account-issuer <url>',
    description:
      'issuer in tokens of service accounts: the URL of this server where other programs check them',
    default: 'https://plinth.default.svc',
  },
  {
    name: 'serviceAccountMaxTokenExpiration',
    flags: '--service-account-max-token-expiration <duration>',
    description:
      'longest lifetime of tokens of service accounts, at least one hour; longer requested lifetimes are shortened, with a warning. Default: the requested lifetime',
    parse: secondsBetween(3600, 2 ** 32),
  },
  {
    name: 'serviceAccountSigningKeyFile',
    flags: '--service-account-signing-key-file <file>',
    description:
      'PEM file of the RSA or EC key that signs tokens of service accounts, the same for all servers; reloaded when it changes. Default: a key generated in --data-dir',
  },
  {
    name: 'serviceAccountKeyFile',
    flags: '--service-account-key-file <files>',
    description:
      'comma-separated PEM files of further keys whose tokens of service accounts are accepted: for example the previous key; reloaded when they change',
    default: [],
    parse: commaList,
  },
];
