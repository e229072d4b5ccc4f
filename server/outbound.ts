import type { Clock } from '../api/clock.ts';
import { HttpsClient } from '../outbound/https-client.ts';
import { dnsResolver, FileResolver } from '../outbound/service-resolver.ts';
import { FlagError } from '../config/command-line.ts';
import type { OutboundConfig } from '../config/outbound-flags.ts';

interface OutboundParts {
  readonly config: OutboundConfig;
  readonly clock: Clock;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/**
 * The one client by which this server calls others, so that they share connections.
 *
 * @throws FlagError when the file of addresses cannot be read
 */
export function outboundClient({ config, clock, onProblem }: OutboundParts): HttpsClient {
  const { serviceEndpointsFile: file } = config;
  if (file === undefined) return new HttpsClient({ resolver: dnsResolver, clock });
  try {
    const resolver = new FileResolver(file, dnsResolver, clock, onProblem);
    return new HttpsClient({ resolver, clock });
  } catch (error) {
    throw new FlagError(`--service-endpoints-file: ${(error as Error).message}`);
  }
}
