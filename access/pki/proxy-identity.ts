import type { Clock } from '../../api/clock.ts';
import type { OutboundConfig } from '../../config/outbound-flags.ts';
import { watchFiles } from '../../outbound/watched-file.ts';
import type { KeyPair } from './certificates.ts';
import { ensureProxyIdentity } from './credentials.ts';
import { readPair } from './pair-file.ts';

export interface ProxyIdentity {
  /** As it is at the moment: files of the operator are read again when they change. */
  current(): KeyPair;
  stop(): void;
}

interface ProxyIdentityParts {
  readonly config: OutboundConfig & { readonly dataDir: string };
  readonly clock: Clock;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/**
 * What this server shows to the servers of APIServices.
 *
 * @throws Error that names the file, or says why certificate and key are of no use
 */
export async function proxyIdentity(parts: ProxyIdentityParts): Promise<ProxyIdentity> {
  const { config, clock, onProblem } = parts;
  const { proxyClientCertFile: certFile, proxyClientKeyFile: keyFile } = config;
  if (certFile === undefined || keyFile === undefined) {
    const made = await ensureProxyIdentity(config.dataDir, clock.now(), onProblem);
    return { current: () => made, stop: () => undefined };
  }
  const read = (): KeyPair => readPair(certFile, keyFile);
  let pair = read();
  const stop = watchFiles({
    ...{ files: [certFile, keyFile], clock, onProblem },
    onChange: () => void (pair = read()),
  });
  return { current: () => pair, stop };
}
