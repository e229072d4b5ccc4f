import { textResponse, type ApiRequest, type ApiResponse } from '../http/message.ts';
import type { Exchange } from '../pipeline/exchange.ts';

/** Something that answers paths outside the API's resources; undefined: not a path of its own. */
export interface DocumentHandler {
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> | undefined;
}

/** Resource paths go to one handler, every other path to the first document handler that knows it. */
export class Router {
  readonly #resources: (exchange: Exchange) => Promise<ApiResponse>;
  readonly #documents: readonly DocumentHandler[];

  constructor(
    resources: (exchange: Exchange) => Promise<ApiResponse>,
    documents: readonly DocumentHandler[],
  ) {
    this.#resources = resources;
    this.#documents = documents;
  }

  async handle(exchange: Exchange): Promise<ApiResponse> {
    if (exchange.info.isResource) return this.#resources(exchange);
    for (const documents of this.#documents) {
      const response = documents.handle(exchange.request);
      if (response !== undefined) return response;
    }
    return textResponse(404, '404 page not found\n');
  }
}
