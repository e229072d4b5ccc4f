import type { HttpsClient } from '../../outbound/https-client.ts';
import { sleep, type Clock } from '../../api/clock.ts';
import { AUDIT_API_VERSION } from '../../api/naming.ts';
import type { RemoteServer } from '../../outbound/kubeconfig.ts';

/** Tries before a batch is given up. */
const MAX_TRIES = 4;
const BACKOFF_FACTOR = 2;
const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024;

interface WebhookDeliveryOptions {
  /** As its kubeconfig says at the moment. */
  readonly server: () => RemoteServer;
  readonly client: HttpsClient;
  readonly clock: Clock;
  readonly initialBackoffMs: number;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** Sends events to another server as one EventList; what it does not take is sent again. */
export class WebhookDelivery {
  readonly #options: WebhookDeliveryOptions;

  constructor(options: WebhookDeliveryOptions) {
    this.#options = options;
  }

  /** @throws Error when no attempt has succeeded, or the time is over */
  async deliver(events: readonly string[], signal: AbortSignal): Promise<void> {
    const { clock, initialBackoffMs, onProblem } = this.#options;
    const head = `{"kind":"EventList","apiVersion":"${AUDIT_API_VERSION}","metadata":{},"items":[`;
    const text = `${head}${events.join(',')}]}`;
    let backoffMs = initialBackoffMs;
    for (let tries = 1; ; tries++) {
      try {
        await this.#post(text, signal);
        return;
      } catch (error) {
        if (tries === MAX_TRIES || signal.aborted) throw error;
        onProblem('the audit webhook did not take a batch of events', error);
      }
      await sleep(clock, backoffMs, signal);
      backoffMs *= BACKOFF_FACTOR;
    }
  }

  async #post(body: string, signal: AbortSignal): Promise<void> {
    const { server, client } = this.#options;
    const { endpoint, authorization } = server();
    const { status } = await client.call({
      endpoint,
      method: 'POST',
      path: endpoint.path,
      headers: {
        'content-type': 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
    });
    if (status < 200 || status > 299)
      throw new Error(`the webhook responded with status ${status}`);
  }
}
