import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import type { Clock } from '../../api/clock.ts';
import { JsonSyntaxError, TooManyFields } from '../../api/json-error.ts';
import { MAX_REQUEST_FIELDS, parseLargeJson } from '../../api/json-parse.ts';
import type { JsonValue } from '../../api/json.ts';
import { CallError } from '../../outbound/call-error.ts';
import type { Endpoint } from '../../outbound/endpoint.ts';
import type { HttpsClient } from '../../outbound/https-client.ts';

/** The longest answer of a webhook (behaviours 8.10). */
const MAX_ANSWER_BYTES = 3 * 1024 * 1024;

/** An answer that is none: of another status, too long, no JSON. */
class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
  /** Of the answer, as far as there was one. */
  readonly status: number;

  constructor(message: string, status: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

interface ReviewCall {
  readonly endpoint: Endpoint;
  /** JSON of the review. */
  readonly review: string;
  readonly timeoutMs: number;
  /** When the request is given up, in monotonic milliseconds. */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Posts reviews to webhooks and reads what they answer. What a webhook sends
 * appears in no message: it may be anything, from anywhere (CVE-2020-8561).
 */
export class ReviewCaller {
  readonly #client: HttpsClient;
  readonly #clock: Clock;

  constructor(client: HttpsClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** @throws CallError or UnusableAnswer */
  async call({ endpoint, review, timeoutMs, deadline, signal }: ReviewCall): Promise<JsonValue> {
    const left = deadline === undefined ? timeoutMs : deadline - this.#clock.monotonic();
    const ms = Math.max(0, Math.min(timeoutMs, left));
    const { status, body } = await this.#client.call({
      endpoint,
      method: 'POST',
      path: `${endpoint.path}?timeout=${Math.ceil(ms / 1000)}s`,
      headers: {
        accept: 'application/json, */*',
        'content-type': 'application/json',
        'user-agent': 'plinth-admission',
      },
      body: review,
      timeoutMs: ms,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
    });
    if (status < 200 || status > 206) throw new UnusableAnswer(refusalText(status), status);
    return parseAnswer(body);
  }
}

/** The status for metrics of a call without a usable answer. */
export function statusOf(error: unknown): number {
  if (error instanceof UnusableAnswer) return error.status;
  return error instanceof CallError && error.kind === 'timeout' ? 504 : 503;
}

function refusalText(status: number): string {
  if (status >= 300 && status < 400)
    return `the webhook responded with status ${status}: redirects are not followed`;
  const name = STATUS_CODES[status];
  return `the webhook responded with status ${status}${name === undefined ? '' : ` (${name})`}`;
}

async function parseAnswer(body: Buffer): Promise<JsonValue> {
  if (!isUtf8(body)) throw new UnusableAnswer('the response is not valid UTF-8', 503);
  try {
    return (await parseLargeJson(body.toString('utf8'), { maxFields: MAX_REQUEST_FIELDS })).value;
  } catch (error) {
    if (error instanceof TooManyFields)
      throw new UnusableAnswer(`the response ${error.message}`, 503);
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new UnusableAnswer('the response is not valid JSON', 503);
  }
}
