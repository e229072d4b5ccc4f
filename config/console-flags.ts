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
      'OIDC client of the console, for the authorization code flow with PKCE; the issuer must allow the redirect URL https://<host>/console/session/oidc/callback. Without this flag the console does not offer OIDC sign-in',
  },
  {
    name: 'consoleOidcIssuerUrl',
    flags: '--console-oidc-issuer-url <url>',
    description:
      'URL of the issuer for the console; the server must accept its tokens. Default: --oidc-issuer-url; required with --authentication-config',
  },
  {
    name: 'consoleOidcClientSecretFile',
    flags: '--console-oidc-client-secret-file <file>',
    description:
      'file with the secret of --console-oidc-client-id; without it the client is public',
  },
  {
    name: 'consoleOidcCaFile',
    flags: '--console-oidc-ca-file <file>',
    description:
      'PEM file of the certificate authority of the issuer of the console. Default: --oidc-ca-file, or the authorities of the system',
  },
  {
    name: 'consoleOidcScopes',
    flags: '--console-oidc-scopes <names>',
    description: 'comma-separated scopes that the console requests',
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

/** `--console`; without it the console is served on loopback addresses only. */
export function servesConsole(config: ConsoleConfig & { readonly bindAddress: string }): boolean {
  return config.console ?? isLoopback(config.bindAddress);
}
