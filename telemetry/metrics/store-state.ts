import { Gauge, type Registry } from 'prom-client';
import type { Store } from '../../storage/interface.ts';

/**
 * What the store says of itself. A scrape shows the last answer and asks for the
 * next one, so it never waits for a store that does not answer.
 */
export function registerStoreState(registry: Registry, store: Store): void {
  const registers = [registry];
  const size: Gauge<'storage_cluster_id'> = new Gauge({
    name: 'apiserver_storage_size_bytes',
    help: 'Size of the database file of the store.',
    labelNames: ['storage_cluster_id'],
    registers,
    collect: inBackground(async () => {
      const { kind, sizeBytes } = await store.describe();
      size.set({ storage_cluster_id: `${kind}-0` }, sizeBytes);
    }),
  });
  const refused: Gauge = new Gauge({
    name: 'plinth_store_writes_refused',
    help: '1 while the store refuses writes, for example because it is full, otherwise 0.',
    registers,
    collect: inBackground(async () => {
      const { writesRefused } = await store.checkHealth();
      refused.set(writesRefused === undefined ? 0 : 1);
    }),
  });
}

/** Starts `ask` unless it is still under way; it runs once at first, so that the first scrape has an answer. */
function inBackground(ask: () => Promise<void>): () => void {
  let isAsking = false;
  const start = (): void => {
    if (isAsking) return;
    isAsking = true;
    ask()
      // The health checks tell that the store cannot be reached.
      .catch(() => undefined)
      .finally(() => (isAsking = false));
  };
  start();
  return start;
}
