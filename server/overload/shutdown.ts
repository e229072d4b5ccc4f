import { tooManyRequests } from '../../api/api-error.ts';
import { sleep, type Clock } from '../../api/clock.ts';
import type { Frame, Stage } from '../../http/exchange.ts';

const RETRY_AFTER_SECONDS = 5;
/** Probes are answered to the end. */
const HEALTH = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

/**
 * The way out. First `begun` aborts: readiness fails, and for a while everything
 * is served, so that load balancers notice, but each connection ends with its
 * next answer. Then new requests are refused with 429, and those under way have
 * their time.
 */
export class Shutdown {
  readonly #clock: Clock;
  readonly #begun = new AbortController();
  readonly #onIdle: (() => void)[] = [];
  #refuses = false;
  #open = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Aborts as soon as it is known that the server is going to stop. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /** Counts requests, and ends their connections from the beginning of the end on. */
  readonly countFrame: Frame = {
    name: 'count',
    enter: () => {
      this.#open++;
    },
    leave: (_exchange, response) => {
      this.#left();
      // Its client goes to another server with the next request, in its own time.
      if (this.#begun.signal.aborted) response.headers.connection = 'close';
      return response;
    },
    fail: () => this.#left(),
  };

  /** Refuses requests once it is time. */
  readonly refuseStage: Stage = {
    name: 'shutdown',
    handle: (exchange, next) => {
      const { info } = exchange;
      if (!this.#refuses || (!info.isResource && HEALTH.test(info.path))) return next(exchange);
      throw tooManyRequests(
        'The apiserver is shutting down, please try again later.',
        RETRY_AFTER_SECONDS,
      );
    },
  };

  /** Fails readiness, and resolves when new requests are refused. */
  async begin(delayMs: number): Promise<void> {
    this.#begun.abort(new Error('shutting down'));
    if (delayMs > 0) await sleep(this.#clock, delayMs);
    this.#refuses = true;
  }

  /** Resolves when no request is under way; those that go on for long count until they have been accepted. */
  idle(): Promise<void> {
    return this.#open === 0
      ? Promise.resolve()
      : new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #left(): void {
    this.#open--;
    if (this.#open > 0) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
