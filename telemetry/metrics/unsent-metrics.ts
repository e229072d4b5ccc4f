import { Counter, Gauge, type Registry } from 'prom-client';
import type { UnsentBudget } from '../../http/unsent-budget.ts';

/** What clients have not taken, read when it is asked for. */
export function registerUnsentMetrics(registry: Registry, budget: UnsentBudget): void {
  const registers = [registry];
  new Gauge({
    name: 'plinth_unsent_bytes',
    help: 'Bytes of large answers and events that were given to connections and have not left.',
    registers,
    collect() {
      this.set(budget.held);
    },
  });
  new Gauge({
    name: 'plinth_unsent_waiting',
    help: 'Answers and streams that wait until other clients have taken what is unsent.',
    registers,
    collect() {
      this.set(budget.waiting);
    },
  });
  new Counter({
    name: 'plinth_unsent_cut_off_total',
    help: 'Clients that were cut off because they took nothing while others waited.',
    registers,
    collect() {
      this.reset();
      this.inc(budget.cutOff);
    },
  });
}
