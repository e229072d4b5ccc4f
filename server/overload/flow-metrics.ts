import { CellFamily, HistogramFamily, type Family } from '../../telemetry/metrics/family.ts';

const WAIT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

type RejectReason = 'concurrency-limit' | 'queue-full' | 'time-out';

/** Who has to wait, and who is refused. One priority level for each kind of request. */
export class FlowMetrics {
  readonly #rejected = new CellFamily(
    'apiserver_flowcontrol_rejected_requests_total',
    'counter',
    'Requests that were rejected because of overload.',
    ['flow_schema', 'priority_level', 'reason'],
  );
  readonly #waits = new HistogramFamily(
    'apiserver_flowcontrol_request_wait_duration_seconds',
    'Waiting time of queued requests.',
    WAIT_BUCKETS,
    ['flow_schema', 'priority_level'],
  );

  families(): Family[] {
    return [this.#rejected, this.#waits];
  }

  rejected(level: string, reason: RejectReason): void {
    this.#rejected.with('users', level, reason).value++;
  }

  waited(level: string, seconds: number): void {
    this.#waits.with('users', level).observe(seconds);
  }
}
