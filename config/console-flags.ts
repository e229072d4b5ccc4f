import type { Flag } from './flag.ts';
import { commaList, trueOrFalse } from './parsers.ts';

/** The console: pages for browsers. */
export interface ConsoleConfig {
  /** Undefined: where only this machine reaches the server. */
  readonly console: boolean | undefined;
  readonly consoleOidcClientId: string | undefined;
  readonly consoleOidcIssuerUrl: string | undefined;
  readonly consoleOidcClientSecretFile: string | undefined;
  readonly consoleOidcCaFile: string | undefined;
  readonly consoleOidcScopes: readonly string[];
}

export const CONSOLE_FLAGS: readonly Flag<ConsoleConfig>[] = [
  {
    name: 'console',
    flags: '--console [true|false]',
    description:
      'whether to serve the console, pages for browsers, at /console. Default: true when --bind-address is a loopback address, otherwise false',
    parse: trueOrFalse,
  },
  {
    name: 'consoleOidcClientId',
    flags: '--console-oidc-client-id <id>',
    description:
      'client by which the console signs people in at the OIDC issuer, with the authorization code flow and PKCE; the issuer must allow the redirect URL https://<host>/console/session/oidc/callback. Without it the console offers no such sign-in',
  },
  {
    name: 'consoleOidcIssuerUrl',
    flags: '--console-oidc-issuer-url <url>',
    description:
      'URL of that issuer, whose tokens the server accepts. Default: --oidc-issuer-url; required with --authentication-config',
  },
  {
    name: 'consoleOidcClientSecretFile',
    flags: '--console-oidc-client-secret-file <file>',
    description: 'file with the secret of --console-oidc-client-id; absent: a public client',
  },
  {
    name: 'consoleOidcCaFile',
    flags: '--console-oidc-ca-file <file>',
    description:
      'PEM file of the certificate authority of that issuer. Default: --oidc-ca-file, or the authorities of the system',
  },
  {
    name: 'consoleOidcScopes',
    flags: '--console-oidc-scopes <names>',
    description: 'comma-separated scopes that the console asks the issuer for',
    default: ['openid', 'profile', 'email'],
    parse: commaList,
  },
];

/** 127.0.0.0/8 in dotted form, and ::1. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1)$/;

/** Does only this machine reach a server that listens on this address? */
export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address);
}

export function servesConsole(config: ConsoleConfig & { readonly bindAddress: string }): boolean {
  return config.console ?? isLoopback(config.bindAddress);
}
