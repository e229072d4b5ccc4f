import { textResponse, type ApiRequest } from '../../http/message.ts';
import type { Answer, Exchange } from '../../http/exchange.ts';
import type { RequestInfo } from '../../http/request-info.ts';

/** Something that answers paths outside the API's resources; undefined: not a path of its own. */
interface DocumentHandler {
  handle(request: ApiRequest): Answer | undefined;
}

/** Answers paths of resources; unknown groups are not resources. */
interface ResourceRoutes {
  handles(info: RequestInfo): boolean;
  handle(exchange: Exchange): Answer;
}

/** What comes before all that; undefined: not this path. */
interface SpecialRoutes {
  route(exchange: Exchange): Answer | undefined;
}

/**
 * Special paths first (those of other servers, among them), then resource paths
 * to one handler, every other path to the first document handler that knows it.
 */
export class Router {
  readonly #special: readonly SpecialRoutes[];
  readonly #resources: ResourceRoutes;
  readonly #documents: readonly DocumentHandler[];

  constructor(
    special: readonly SpecialRoutes[],
    resources: ResourceRoutes,
    documents: readonly DocumentHandler[],
  ) {
    this.#special = special;
    this.#resources = resources;
    this.#documents = documents;
  }

  /** @throws ApiError (also as rejection) */
  handle(exchange: Exchange): Answer {
    const { info, refusal } = exchange;
    for (const special of this.#special) {
      const response = special.route(exchange);
      if (response !== undefined) return response;
    }
    if (info.isResource && this.#resources.handles(info)) return this.#resources.handle(exchange);
    if (refusal !== undefined) throw refusal;
    for (const documents of this.#documents) {
      const response = documents.handle(exchange.request);
      if (response !== undefined) return response;
    }
    return textResponse(404, '404 page not found\n');
  }
}
