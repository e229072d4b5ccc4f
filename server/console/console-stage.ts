import type { Stage } from '../../http/exchange.ts';
import type { Assets } from './assets.ts';
import { CONSOLE_PATH, consolePage } from './pages.ts';

/** Answers everything at /console and below. Its files are for everyone who reaches the server. */
export function consoleStage(assets: Assets): Stage {
  return {
    name: 'console',
    handle(exchange, next) {
      const { path } = exchange.info;
      if (path !== CONSOLE_PATH && !path.startsWith(`${CONSOLE_PATH}/`)) return next(exchange);
      return consolePage(assets, exchange.request, path);
    },
  };
}
