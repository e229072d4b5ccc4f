import { exactText, parseExact } from './exact.ts';
import { queryText, type QueryValues } from './resource.ts';
import { errorOf, invalidAnswer } from './status.ts';

/** How a client reaches its server. */
export interface TransportOptions {
  /** `https://127.0.0.1:6443`; empty in a browser: where the page comes from. */
  readonly baseUrl?: string;
  /** Sent with every request, and asked for each time. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Bearer token; empty: none, for example because a cookie or certificate says who asks. */
  readonly token?: () => string;
  readonly fetch?: typeof fetch;
  /** An integer that a number cannot hold comes as a bigint, and a bigint is sent with all digits. */
  readonly exactIntegers?: boolean;
  /** Is told the warnings that the server sends with an answer. */
  readonly onWarning?: (text: string) => void;
}

export interface Sent {
  readonly query?: QueryValues;
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** The content behind this path never changes: the browser may keep it. */
  readonly immutable?: boolean;
}

/** An answer as it came, for those who want to see it whole. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const JSON_TYPE = 'application/json';

/** Requests to one server. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #fetch: typeof fetch;

  constructor(options: TransportOptions) {
    this.#options = options;
    // called as a function: a browser's fetch refuses another `this`
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  get baseUrl(): string {
    return this.#options.baseUrl ?? '';
  }

  get token(): string {
    return this.#options.token?.() ?? '';
  }

  /**
   * The answer without its body. Rejects with what fetch rejects with (TypeError,
   * AbortError) when there is none.
   */
  async open(method: string, path: string, sent: Sent = {}): Promise<Response> {
    const { query = {}, body, accept = JSON_TYPE, contentType = JSON_TYPE, signal } = sent;
    const { token } = this;
    const init = {
      method,
      headers: {
        ...this.#options.headers?.(),
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        accept,
        ...(body === undefined ? {} : { 'content-type': contentType }),
        ...sent.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : this.#textOf(body) }),
      ...(signal === undefined ? {} : { signal }),
      credentials: 'same-origin',
      cache: sent.immutable === true ? 'default' : 'no-store',
    } as const;
    const response = await this.#fetch(`${this.baseUrl}${path}${queryText(query)}`, init);
    this.#warn(response.headers.get('warning'));
    return response;
  }

  /** Whatever the server answers, refusals included. */
  async raw(method: string, path: string, sent: Sent = {}): Promise<RawAnswer> {
    const response = await this.open(method, path, sent);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Reads JSON as the options say. @throws SyntaxError */
  parse(text: string): unknown {
    return this.#options.exactIntegers === true ? parseExact(text) : JSON.parse(text);
  }

  /** @throws StatusError for a refusal, and for an answer that is not JSON */
  async json<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
    const { status, text } = await this.raw(method, path, sent);
    if (status < 200 || status > 299) throw errorOf(status, text);
    try {
      return this.parse(text) as T;
    } catch {
      throw invalidAnswer(`the answer to ${method} ${path} is not JSON`);
    }
  }

  /** @throws StatusError for a refusal */
  async text(path: string, sent: Sent = {}): Promise<string> {
    const { status, text } = await this.raw('GET', path, sent);
    if (status < 200 || status > 299) throw errorOf(status, text);
    return text;
  }

  #textOf(body: unknown): string {
    return this.#options.exactIntegers === true ? exactText(body) : JSON.stringify(body);
  }

  #warn(header: string | null): void {
    const { onWarning } = this.#options;
    if (header === null || onWarning === undefined) return;
    for (const [, text = ''] of header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)) {
      onWarning(text.replace(/\\(.)/g, '$1'));
    }
  }
}
