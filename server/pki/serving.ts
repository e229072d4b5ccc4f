import { mkdirSync } from 'node:fs';
import type { Clock } from '../../api/clock.ts';
import type { ServerConfig } from '../flags.ts';
import { readPem, type HttpsOptions } from '../http/https-server.ts';
import type { KeyPair } from './certificates.ts';
import { ensureCredentials } from './credentials.ts';

export interface ServingCredentials {
  readonly https: HttpsOptions;
  /** PEM of the authority by which clients verify this server. */
  readonly authority: string;
  readonly admin: KeyPair;
}

/**
 * What the server shows to clients and trusts of them: the operator's files, or
 * what it makes for itself.
 *
 * @throws Error that names the file
 */
export async function servingCredentials(
  config: ServerConfig,
  clock: Clock,
): Promise<ServingCredentials> {
  mkdirSync(config.dataDir, { recursive: true });
  const own =
    config.tlsCertFile === undefined || config.tlsPrivateKeyFile === undefined
      ? undefined
      : { certificate: readPem(config.tlsCertFile), key: readPem(config.tlsPrivateKeyFile) };
  const generated = await ensureCredentials(config.dataDir, {
    servingNames: own === undefined ? servingNames(config) : undefined,
    now: clock.now(),
  });
  const serving = own ?? generated.serving;
  if (serving === undefined) throw new Error('there is no serving certificate');
  const { authority, admin } = generated;
  const clientAuthorities = [
    authority.certificate,
    ...(config.clientCaFile === undefined ? [] : [readPem(config.clientCaFile)]),
  ];
  return {
    admin,
    authority: own === undefined ? authority.certificate : serving.certificate,
    https: { certificate: serving.certificate, key: serving.key, clientAuthorities },
  };
}

function servingNames({ bindAddress, tlsSan }: ServerConfig): string[] {
  const own = isAnyAddress(bindAddress) ? [] : [bindAddress];
  return [...new Set(['localhost', '127.0.0.1', '::1', 'plinth', ...own, ...tlsSan])];
}

/** The host by which clients on this machine reach the server. */
export function hostOf(bindAddress: string): string {
  if (isAnyAddress(bindAddress)) return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}

function isAnyAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}
