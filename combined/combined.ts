import { QUERY_SNAPSHOT_PATH, QUERY_WATCH_PATH } from '../http/request-info.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../http/exchange.ts';
import type { CommandsOptions } from './commands.ts';
import { snapshot } from './snapshot.ts';
import { stream } from './stream.ts';

/** Answers that combine several resources: lists at one revision, and one stream of their changes. */
export class Combined {
  readonly #options: CommandsOptions;

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  /** Undefined: not a path of its own. Rejects with an ApiError. */
  route(exchange: Exchange): Promise<ApiResponse> | undefined {
    const { isResource, path, verb } = exchange.info;
    if (isResource) return undefined;
    if (path === QUERY_SNAPSHOT_PATH && verb === 'list') return snapshot(this.#options, exchange);
    if (path === QUERY_WATCH_PATH && verb === 'watch') return stream(this.#options, exchange);
    return undefined;
  }

  paths(): string[] {
    return [QUERY_SNAPSHOT_PATH, QUERY_WATCH_PATH];
  }
}
