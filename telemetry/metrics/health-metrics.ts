import { Counter, Gauge, type Registry } from 'prom-client';

/** What `/metrics/slis` shows: the outcome of every health check. */
export class HealthMetrics {
  readonly #state: Gauge<'name' | 'type'>;
  readonly #total: Counter<'name' | 'type' | 'status'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#state = new Gauge({
      name: 'kubernetes_healthcheck',
      help: 'The last result of each health check: 1 for well, 0 for not.',
      labelNames: ['name', 'type'],
      registers,
    });
    this.#total = new Counter({
      name: 'kubernetes_healthchecks_total',
      help: 'Results of health checks.',
      labelNames: ['name', 'type', 'status'],
      registers,
    });
  }

  observe(type: 'healthz' | 'livez' | 'readyz', name: string, isWell: boolean): void {
    this.#state.set({ name, type }, isWell ? 1 : 0);
    this.#total.inc({ name, type, status: isWell ? 'success' : 'error' });
  }
}
