import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';

/** A check that goes on failing is logged this often. */
const REPEAT_MS = 10_000;

/**
 * Logs failed health checks: each check at once when it fails, and every
 * {@link REPEAT_MS} while probes find it failing, however many probes ask.
 */
export class FailureLog {
  readonly #log: Logger;
  readonly #clock: Clock;
  /** By endpoint and check: when it was logged, and how often it has failed since. */
  readonly #logged = new Map<string, { at: number; repeats: number }>();

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  failed(endpoint: string, name: string, error: Error): void {
    const key = `${endpoint} ${name}`;
    const now = this.#clock.monotonic();
    const last = this.#logged.get(key);
    if (last !== undefined && now - last.at < REPEAT_MS) {
      last.repeats++;
      return;
    }
    this.#logged.set(key, { at: now, repeats: 0 });
    const { message: reason } = error;
    this.#log.warn({ endpoint, name, reason, repeats: last?.repeats ?? 0 }, 'unhealthy');
  }
}
