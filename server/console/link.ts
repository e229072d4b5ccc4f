import type { ConsoleAccess } from '../../access/sessions/console-access.ts';
import { isLoopback } from '../../config/console-flags.ts';
import type { ServerConfig } from '../../config/flags.ts';
import { CONSOLE_PATH } from './pages.ts';

/**
 * A link that signs in to the console as the administrator, once and soon.
 * Undefined where other machines reach the server, and where several processes
 * serve the port: the code is known to one of them. The code stands behind a
 * `#`: a browser sends that part to no server.
 */
export function consoleLink(
  { bindAddress, workers }: ServerConfig,
  console: ConsoleAccess | undefined,
  url: string,
): string | undefined {
  if (console === undefined || workers > 1 || !isLoopback(bindAddress)) return undefined;
  return `${url}${CONSOLE_PATH}#code=${console.code.issue()}`;
}
