import { CellFamily, HistogramFamily, OTHER, type Family } from './family.ts';
import type { RequestKey, ServedNames } from './request-labels.ts';

type WatchedKey = Pick<RequestKey, 'group' | 'version' | 'resource' | 'scope'>;

/** What the watch streams of one resource have sent. */
interface WatchEventCounter {
  sent(bytes: number): void;
}

const EVENT_SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128].map((kib) => kib * 1024);
const INITIAL_BUCKETS = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60, 90, 120,
  180, 300,
];
const LABELS = ['group', 'version', 'resource'];

/** Counts what goes out to watchers. */
export class WatchMetrics {
  readonly #served: ServedNames;
  readonly #events = new CellFamily(
    'apiserver_watch_events_total',
    'counter',
    'Events sent to watchers.',
    LABELS,
  );
  readonly #sizes = new HistogramFamily(
    'apiserver_watch_events_sizes',
    'Bytes of the events sent to watchers.',
    EVENT_SIZE_BUCKETS,
    LABELS,
  );
  readonly #initial = new HistogramFamily(
    'apiserver_watch_list_duration_seconds',
    'Time until a watch has sent its initial state.',
    INITIAL_BUCKETS,
    [...LABELS, 'scope'],
  );

  constructor(served: ServedNames) {
    this.#served = served;
  }

  families(): Family[] {
    return [this.#events, this.#sizes, this.#initial];
  }

  /** To be asked for once per stream, and called for every event. */
  eventsOf(group: string, version: string, resource: string): WatchEventCounter {
    const labels = this.#labels(group, version, resource);
    const events = this.#events.with(...labels);
    const sizes = this.#sizes.with(...labels);
    return {
      sent(bytes) {
        events.value++;
        sizes.observe(bytes);
      },
    };
  }

  /** A watch has sent the state that it began with. */
  initialState({ group, version, resource, scope }: WatchedKey, seconds: number): void {
    this.#initial.with(...this.#labels(group, version, resource), scope).observe(seconds);
  }

  #labels(group: string, version: string, resource: string): string[] {
    const isServed = this.#served.find(group, version, resource) !== undefined;
    return isServed ? [group, version, resource] : [OTHER, OTHER, OTHER];
  }
}
