import type { ApiResponse } from '../http/message.ts';
import { textResponse } from '../http/message.ts';
import type { Exchange } from '../pipeline/exchange.ts';

export type Handler = (exchange: Exchange) => ApiResponse | Promise<ApiResponse>;

/** A handler for everything under a path outside the API's resources. */
export interface Route {
  /** `/healthz` matches itself and what is below it; `/` only itself. */
  readonly path: string;
  readonly handle: Handler;
}

/** Resource paths go to one handler, other paths to the route with the longest matching path. */
export class Router {
  readonly #resource: Handler;
  readonly #routes: readonly Route[];

  constructor(resource: Handler, routes: readonly Route[]) {
    this.#resource = resource;
    this.#routes = [...routes].sort((a, b) => b.path.length - a.path.length);
  }

  handle(exchange: Exchange): ApiResponse | Promise<ApiResponse> {
    const { info } = exchange;
    if (info.isResource) return this.#resource(exchange);
    const route = this.#routes.find(({ path }) => covers(path, info.path));
    return route === undefined ? textResponse(404, '404 page not found\n') : route.handle(exchange);
  }
}

function covers(route: string, path: string): boolean {
  return path === route || (route !== '/' && path.startsWith(`${route}/`));
}
