import { Counter, Gauge, type Registry } from 'prom-client';
import type { UnsentBudget } from '../../http/unsent-budget.ts';

/** What clients have not taken, read when it is asked for. */
export function registerUnsentMetrics(registry: Registry, budget: UnsentBudget): void {
  const registers = [registry];
  new Gauge({
    name: 'plinth_unsent_bytes',
    help: 'Bytes of large responses and events that wait in the buffers of connections.',
    registers,
    collect() {
      this.set(budget.held);
    },
  });
  new Gauge({
    name: 'plinth_unsent_waiting',
    help: 'Responses and streams that wait for unsent bytes of other clients to drain.',
    registers,
    collect() {
      this.set(budget.waiting);
    },
  });
  new Counter({
    name: 'plinth_unsent_cut_off_total',
    help: 'Clients that were disconnected because they did not read while others waited.',
    registers,
    collect() {
      this.reset();
      this.inc(budget.cutOff);
    },
  });
}
