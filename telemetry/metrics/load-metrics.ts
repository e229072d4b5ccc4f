import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../api/clock.ts';
import { CellFamily, type Family } from './family.ts';
import { Peak } from './peak.ts';
import { labelValues, requestLabels, type RequestKey, type ServedNames } from './request-labels.ts';

export type RequestKind = 'readOnly' | 'mutating';

const LABELS = ['verb', 'group', 'version', 'resource', 'subresource', 'scope'];

/** How busy the server is at this moment, and which requests it did not see to their end. */
export class LoadMetrics {
  readonly #served: ServedNames;
  readonly #executing: Readonly<Record<RequestKind, Peak>>;
  readonly #queued: Readonly<Record<RequestKind, Peak>>;
  readonly #longRunning = new CellFamily(
    'apiserver_longrunning_requests',
    'gauge',
    'Open long-running requests, mostly watches.',
    [...LABELS, 'component'],
  );
  readonly #terminations = new CellFamily(
    'apiserver_request_terminations_total',
    'counter',
    'Requests that the server ended to protect itself.',
    [...LABELS, 'component', 'code'],
  );
  readonly #aborts = new CellFamily(
    'apiserver_request_aborts_total',
    'counter',
    'Requests whose client disconnected before the response.',
    LABELS,
  );

  constructor(registry: Registry, served: ServedNames, clock: Clock) {
    this.#served = served;
    this.#executing = peakGauge(
      registry,
      clock,
      'apiserver_current_inflight_requests',
      'Highest number of concurrent requests in the last second.',
    );
    this.#queued = peakGauge(
      registry,
      clock,
      'apiserver_current_inqueue_requests',
      'Highest number of queued requests in the last second.',
    );
  }

  families(): Family[] {
    return [this.#longRunning, this.#terminations, this.#aborts];
  }

  /** A request is being worked on, until it has {@link left}. */
  entered(kind: RequestKind): void {
    this.#executing[kind].enter();
  }

  left(kind: RequestKind): void {
    this.#executing[kind].leave();
  }

  /** A request waits for its turn, until it has left the queue. */
  enteredQueue(kind: RequestKind): void {
    this.#queued[kind].enter();
  }

  leftQueue(kind: RequestKind): void {
    this.#queued[kind].leave();
  }

  /** A request that goes on for long is open until the returned function is called. */
  longRunning(request: RequestKey): () => void {
    const { verb, rest } = this.#values(request);
    const cell = this.#longRunning.with(verb, ...rest);
    cell.value++;
    return once(() => cell.value--);
  }

  /** The server ended a request by itself: too many of them, or no result in time. */
  terminated(request: RequestKey, code: number): void {
    const { verb, rest } = this.#values(request);
    this.#terminations.with(verb, ...rest, String(code)).value++;
  }

  aborted(request: RequestKey): void {
    const { verb, rest } = this.#values(request);
    this.#aborts.with(verb, ...rest.slice(0, -1)).value++;
  }

  #values(request: RequestKey): { verb: string; rest: string[] } {
    const labels = requestLabels(request, this.#served);
    return { verb: labels.verb, rest: labelValues(labels) };
  }
}

function peakGauge(
  registry: Registry,
  clock: Clock,
  name: string,
  help: string,
): Record<RequestKind, Peak> {
  const peaks = { readOnly: new Peak(clock), mutating: new Peak(clock) };
  new Gauge({
    name,
    help,
    labelNames: ['request_kind'],
    registers: [registry],
    collect() {
      for (const [kind, peak] of Object.entries(peaks)) this.set({ request_kind: kind }, peak.peak);
    },
  });
  return peaks;
}

/** Ends come from several sides (an answer, a disconnect); only the first one counts. */
function once(end: () => void): () => void {
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    end();
  };
}
