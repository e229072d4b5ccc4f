import type { HttpsClient } from './https-client.ts';
import { getOwn, isObject, type JsonObject } from '../api/json.ts';
import { parseLargeJson } from '../api/json-parse.ts';
import { stringifyJson } from '../api/json-write.ts';
import { readKubeconfig, type RemoteServer } from './kubeconfig.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** Keys, or objects and lists, of an answer, which may repeat the question. */
const MAX_FIELDS = 10_000;

/** Has reviews answered by another server. What goes wrong never tells what was asked. */
export class ReviewClient {
  readonly #file: string;
  readonly #client: HttpsClient;
  readonly #timeoutMs: number;
  #server: RemoteServer;

  /** @throws Error that names file and field */
  constructor(file: string, client: HttpsClient, timeoutMs = TIMEOUT_MS) {
    this.#file = file;
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#server = readKubeconfig(file);
  }

  /** To be watched for changes. */
  get files(): readonly string[] {
    return this.#server.files;
  }

  /** @throws Error; then the server before stays */
  reload(): void {
    this.#server = readKubeconfig(this.#file);
  }

  /**
   * The status that the other server gives to a review.
   *
   * @throws Error when it gives none
   */
  async status(review: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const { endpoint, authorization } = this.#server;
    const answer = await this.#client.call({
      endpoint,
      method: 'POST',
      path: endpoint.path,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: stringifyJson(review),
      timeoutMs: this.#timeoutMs,
      maxBytes: MAX_BYTES,
      signal,
    });
    if (answer.status < 200 || answer.status > 299) {
      throw new Error(`the webhook responded with status ${answer.status}`);
    }
    const text = answer.body.toString('utf8');
    const { value } = await parseLargeJson(text, { maxFields: MAX_FIELDS });
    const isReview = isObject(value) && getOwn(value, 'kind') === review.kind;
    const status = isReview ? getOwn(value, 'status') : undefined;
    if (status === undefined || !isObject(status)) {
      throw new Error('the webhook returned no status');
    }
    return status;
  }
}
