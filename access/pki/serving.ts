import type { Server } from 'node:https';
import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';
import { makeDirectory } from '../../storage/make-directory.ts';
import type { ServerConfig } from '../../config/flags.ts';
import { CIPHER_SUITES, TLS_VERSIONS } from '../../config/tls-flags.ts';
import { readAuthorities } from '../../http/pem.ts';
import type { TlsContexts, TlsOptions } from '../../http/tls-contexts.ts';
import { watchFiles } from '../../outbound/watched-file.ts';
import type { KeyPair } from './certificates.ts';
import { ensureCredentials } from './credentials.ts';
import type { OnUnwritable } from './generated-files.ts';
import { readPair } from './pair-file.ts';

/** How often generated certificates are looked at. */
const RENEWAL_PERIOD_MS = 12 * 3600 * 1000;

interface ServingCredentials {
  readonly tls: TlsOptions;
  /** PEM of the authority by which clients verify this server. */
  readonly authority: string;
  /** PEM of the authority of the generated client certificates. */
  readonly clientAuthority: string;
  /** The same with its key: it signs certificates of clients. */
  readonly signingAuthority: KeyPair;
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
  onUnwritable?: OnUnwritable,
): Promise<ServingCredentials> {
  makeDirectory(config.dataDir);
  const own =
    config.tlsCertFile === undefined || config.tlsPrivateKeyFile === undefined
      ? undefined
      : readPair(config.tlsCertFile, config.tlsPrivateKeyFile);
  const generated = await ensureCredentials(config.dataDir, {
    servingNames: own === undefined ? servingNames(config) : undefined,
    now: clock.now(),
    onUnwritable,
  });
  const serving = own ?? generated.serving;
  if (serving === undefined) throw new Error('the serving certificate is missing');
  const { authority, admin } = generated;
  const clientAuthorities = [
    authority.certificate,
    ...[config.clientCaFile, config.requestheaderClientCaFile].flatMap((file) =>
      file === undefined ? [] : [readAuthorities(file)],
    ),
  ];
  return {
    admin,
    clientAuthority: authority.certificate,
    signingAuthority: authority,
    authority: own === undefined ? authority.certificate : serving.certificate,
    tls: {
      ...serving,
      clientAuthorities,
      minVersion: TLS_VERSIONS[config.tlsMinVersion] ?? 'TLSv1.2',
      ciphers: ciphersOf(config),
      named: config.tlsSniCertKey.map(({ certFile, keyFile, names }) => ({
        ...readPair(certFile, keyFile),
        names,
      })),
    },
  };
}

/** Node's own choice has suites with CBC and SHA-1. The suites of TLS 1.3 stay when the flag does not name any: all of them are good. */
function ciphersOf({ tlsCipherSuites }: ServerConfig): string[] {
  if (tlsCipherSuites.length === 0) return Object.values(CIPHER_SUITES);
  const isNew = (name: string): boolean => CIPHER_SUITES[name] === name;
  const chosen = tlsCipherSuites.map((name) => CIPHER_SUITES[name] ?? name);
  if (tlsCipherSuites.some(isNew)) return chosen;
  return [...Object.keys(CIPHER_SUITES).filter(isNew), ...chosen];
}

interface TlsReload {
  readonly config: ServerConfig;
  readonly contexts: TlsContexts;
  readonly server: Server;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Reads certificates and authorities again when their files change, and renews
 * generated ones before they expire. The returned function ends it.
 */
export function keepTlsCurrent({ config, contexts, server, clock, log }: TlsReload): () => void {
  const onProblem = (message: string, error: unknown): void => log.error({ err: error }, message);
  const reload = async (): Promise<void> => {
    const { tls } = await servingCredentials(config, clock, onProblem);
    contexts.replace(tls, server);
    log.info('certificates reloaded');
  };
  const files = [
    ...[config.tlsCertFile, config.tlsPrivateKeyFile],
    ...[config.clientCaFile, config.requestheaderClientCaFile],
    ...config.tlsSniCertKey.flatMap(({ certFile, keyFile }) => [certFile, keyFile]),
  ].filter((file) => file !== undefined);
  const stopWatching = watchFiles({ files, clock, onChange: reload, onProblem });
  let cancel: () => void;
  const renew = (): void => {
    cancel = clock.after(RENEWAL_PERIOD_MS, () => {
      reload().catch((error: unknown) => onProblem('certificates could not be renewed', error));
      renew();
    });
  };
  renew();
  return () => {
    stopWatching();
    cancel();
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
