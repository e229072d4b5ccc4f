import { systemClock } from '../../api/clock.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { parseJson } from '../../api/json-parse.ts';
import { HttpsClient } from '../../outbound/https-client.ts';
import { readKubeconfig, type RemoteServer } from '../../outbound/kubeconfig.ts';
import { dnsResolver } from '../../outbound/service-resolver.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** A running server, as a command talks to it: with the credentials of a kubeconfig. */
export class ApiClient {
  readonly #client = new HttpsClient({ resolver: dnsResolver, clock: systemClock });
  readonly server: RemoteServer;

  /** @throws Error that names file and field */
  constructor(kubeconfig: string) {
    this.server = readKubeconfig(kubeconfig);
  }

  /** `https://<host>:<port>`. */
  get url(): string {
    const { host, port } = this.server.endpoint;
    return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** @throws Error with the message of the Status, or why there is no answer */
  async send(
    method: string,
    path: string,
    body?: JsonObject | JsonObject[],
    type = 'application/json',
  ): Promise<JsonObject> {
    const { endpoint, authorization } = this.server;
    const { status, body: bytes } = await this.#client.call({
      endpoint,
      method,
      path,
      headers: {
        accept: 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
    const { value } = parseJson(bytes.toString('utf8'));
    const answer = isObject(value) ? value : {};
    if (status < 400) return answer;
    const { message } = answer;
    throw new Error(typeof message === 'string' ? message : `${this.url} answered ${status}`);
  }

  close(): void {
    this.#client.close();
  }
}
