import type { ConsoleAccess } from '../../access/sessions/console-access.ts';
import { isLoopback } from '../../config/console-flags.ts';
import type { ServerConfig } from '../../config/flags.ts';
import { isStoreError } from '../../storage/errors.ts';
import type { Peers } from '../../telemetry/metrics/peers.ts';
import { CONSOLE_PATH } from './pages.ts';

interface LinkOptions {
  readonly config: Pick<ServerConfig, 'bindAddress'>;
  readonly console: ConsoleAccess | undefined;
  /** Where the server serves. */
  readonly url: string;
  readonly peers: Pick<Peers, 'isFirst'> | undefined;
  readonly onProblem: (message: string, error: unknown) => void;
}

/**
 * A link that signs in to the console as the administrator, once and soon.
 * Undefined where other machines reach the server, in workers whose greeting the
 * operator does not see, and while the store takes no writes. The code stands behind a `#`: a browser sends that part to no server.
 */
export async function consoleLink(options: LinkOptions): Promise<string | undefined> {
  const { config, console, url, peers, onProblem } = options;
  if (console === undefined || !isLoopback(config.bindAddress)) return undefined;
  if (peers?.isFirst === false) return undefined;
  try {
    return `${url}${CONSOLE_PATH}#code=${await console.codes.issue()}`;
  } catch (error) {
    if (!isStoreError(error)) throw error;
    onProblem('the store does not keep the code of a link to the console', error);
    return undefined;
  }
}
