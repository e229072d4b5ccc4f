import type { Logger } from 'pino';
import type { Access } from '../../access/access.ts';
import { FlagError } from '../../config/command-line.ts';
import type { ServerConfig } from '../../config/flags.ts';
import type { Stage } from '../../http/exchange.ts';
import type { ApiRequest, ApiResponse } from '../../http/message.ts';
import { Assets, isBuilt } from './assets.ts';
import { OIDC_CALLBACK_PATH, OIDC_PATH, OidcRoutes } from './oidc-routes.ts';
import { CONSOLE_PATH, consolePage } from './pages.ts';
import { SESSION_PATH, SessionRoutes } from './session-routes.ts';

interface ConsoleParts {
  readonly config: ServerConfig;
  readonly access: Access;
  readonly log: Logger;
}

/**
 * Answers everything at /console and below, before it is asked who the user is:
 * the files are for everyone who reaches the server, and people sign in here.
 *
 * @throws FlagError when a flag asks for a console that has not been built
 */
export function consoleStages({ config, access, log }: ConsoleParts): Stage[] {
  const { console, tokens } = access;
  if (console === undefined) return [];
  if (!isBuilt()) {
    if (config.console !== true) return [];
    throw new FlagError('--console: dist/console is missing: run npm run build');
  }
  const assets = new Assets();
  const session = new SessionRoutes({ access, console, log });
  const { oidc } = console;
  const oidcRoutes = oidc && new OidcRoutes({ oidc, console, tokens, log });
  const answer = async (request: ApiRequest, path: string): Promise<ApiResponse> => {
    if (path === SESSION_PATH) return session.handle(request);
    const isOidc = path === OIDC_PATH || path === OIDC_CALLBACK_PATH;
    if (isOidc && oidcRoutes !== undefined) return oidcRoutes.handle(request, path);
    return consolePage(assets, request, path);
  };
  return [
    {
      name: 'console',
      handle(exchange, next) {
        const { path } = exchange.info;
        if (path !== CONSOLE_PATH && !path.startsWith(`${CONSOLE_PATH}/`)) return next(exchange);
        return answer(exchange.request, path);
      },
    },
  ];
}
