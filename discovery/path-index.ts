import { jsonResponse, type ApiRequest, type ApiResponse } from '../http/message.ts';

/** `/`: the paths of the server, for people who look around. */
export class PathIndex {
  readonly #sources: readonly (() => readonly string[])[];

  /** Each source names paths at the time of the request. */
  constructor(sources: readonly (() => readonly string[])[]) {
    this.#sources = sources;
  }

  handle(request: ApiRequest): ApiResponse | undefined {
    const isAsked = request.method === 'GET' || request.method === 'HEAD';
    if (request.rawPath !== '/' || !isAsked) return undefined;
    const paths = new Set(this.#sources.flatMap((source) => [...source()]));
    return jsonResponse(200, { paths: [...paths].sort() });
  }
}
