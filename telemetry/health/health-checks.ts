import type { Clock } from '../../api/clock.ts';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

export const HEALTH_ENDPOINTS: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];

/** Something that can be well or not. */
export interface HealthCheck {
  /** As paths and answers name it: `etcd`, `poststarthook/system-namespaces`. */
  readonly name: string;
  /** Where it counts; everywhere unless said. */
  readonly endpoints?: readonly HealthEndpoint[];
  /** The part of the installation that it looks at, as ComponentStatus names it. */
  readonly component?: string;
  /** May be excluded by this name together with the others of the group. */
  readonly group?: string;
  /** Longer than this is a failure; {@link DEFAULT_TIMEOUT_MS} unless said. */
  readonly timeoutMs?: number;
  /** Throws, or rejects, with what is wrong. The signal aborts at the timeout. */
  readonly check: (signal: AbortSignal) => void | Promise<void>;
  /** After a check that was well: what an operator should know all the same. */
  readonly warning?: () => string | undefined;
}

export interface CheckResult {
  readonly check: HealthCheck;
  /** Undefined when all is well. */
  readonly error: Error | undefined;
  /** What an operator should know of a check that is well. */
  readonly warning: string | undefined;
}

const DEFAULT_TIMEOUT_MS = 2_000;

/** A check that always passes: it shows that the server answers. */
export const PING: HealthCheck = { name: 'ping', check: () => undefined };

/**
 * The named checks of the server. However many ask at once, a check runs once
 * at a time: those who come while it runs share its outcome, so that probes
 * never pile up on a store that does not answer.
 */
export class HealthChecks {
  readonly #clock: Clock;
  readonly #checks: HealthCheck[] = [];
  readonly #running = new Map<HealthCheck, Promise<void>>();
  /** What those who ask at this moment are going to be told. */
  readonly #results = new Map<HealthCheck, Promise<CheckResult>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Checks show in the order in which they were added. */
  add(check: HealthCheck): void {
    if (this.#checks.some(({ name }) => name === check.name)) {
      throw new Error(`the health check ${check.name} already exists`);
    }
    this.#checks.push(check);
  }

  of(endpoint: HealthEndpoint): readonly HealthCheck[] {
    return this.#checks.filter(({ endpoints = HEALTH_ENDPOINTS }) => endpoints.includes(endpoint));
  }

  /** Those that tell how a part of the installation is. */
  components(): readonly HealthCheck[] {
    return this.#checks.filter(({ component }) => component !== undefined);
  }

  /** One promise for all who ask until it is settled; it never rejects. */
  run(check: HealthCheck): Promise<CheckResult> {
    let result = this.#results.get(check);
    if (result === undefined) {
      result = this.#result(check).finally(() => this.#results.delete(check));
      this.#results.set(check, result);
    }
    return result;
  }

  async #result(check: HealthCheck): Promise<CheckResult> {
    try {
      await this.#limited(check);
      return { check, error: undefined, warning: check.warning?.() };
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      return { check, error: failure, warning: undefined };
    }
  }

  #limited(check: HealthCheck): Promise<void> {
    const timeoutMs = check.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(timeoutMs, () => {
        reject(new Error(`no result within ${timeoutMs} ms`));
      });
      this.#once(check, timeoutMs).then(resolve, reject).finally(cancel);
    });
  }

  /** The run under way, or a new one. One that ignores its signal is not started a second time. */
  #once(check: HealthCheck, timeoutMs: number): Promise<void> {
    const running = this.#running.get(check);
    if (running !== undefined) return running;
    const abort = new AbortController();
    const cancel = this.#clock.after(timeoutMs, () => abort.abort());
    const run = (async () => check.check(abort.signal))().finally(() => {
      cancel();
      this.#running.delete(check);
    });
    this.#running.set(check, run);
    return run;
  }
}
