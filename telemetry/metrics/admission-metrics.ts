import { Counter, Histogram, type Registry } from 'prom-client';
import { HistogramFamily, type Family, type Histogram as HistogramSeries } from './family.ts';

/** One call of a step, a plugin or a webhook. */
interface AdmissionCall {
  /** Name of the plugin or webhook; unused for a whole step. */
  readonly name: string;
  /** `admit` for what may change the object, `validate` for what only looks; webhooks: `admit`, `validating`. */
  readonly type: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly rejected: boolean;
  readonly seconds: number;
}

type WebhookErrorType = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';

const STEP_BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const WEBHOOK_BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];
const CALL = ['name', 'type', 'operation', 'rejected'] as const;

/** Where the series of an operation begin: one for each type and result. */
const SLOTS = { CREATE: 0, UPDATE: 4, DELETE: 8, CONNECT: 12 } as const;

/** Counts admission: whole steps, plugins, and webhooks by name. */
export class AdmissionMetrics {
  readonly #step = new HistogramFamily(
    'apiserver_admission_step_admission_duration_seconds',
    'Duration of the mutating and of the validating admission step.',
    STEP_BUCKETS,
    ['type', 'operation', 'rejected'],
  );
  readonly #plugin = new HistogramFamily(
    'apiserver_admission_controller_admission_duration_seconds',
    'Duration of the built-in admission plugins.',
    STEP_BUCKETS,
    CALL,
  );
  /** The series of steps by slot. */
  readonly #steps: HistogramSeries[] = [];
  /** The series of plugins by name and slot. */
  readonly #plugins = new Map<string, HistogramSeries[]>();
  readonly #webhook: Histogram<(typeof CALL)[number]>;
  readonly #requests: Counter<(typeof CALL)[number] | 'code'>;
  readonly #rejections: Counter<'name' | 'type' | 'operation' | 'error_type' | 'rejection_code'>;
  readonly #failOpen: Counter<'name' | 'type'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const name = (part: string): string => `apiserver_admission_${part}`;
    this.#webhook = new Histogram({
      name: name('webhook_admission_duration_seconds'),
      help: 'Duration of calls to webhooks.',
      labelNames: CALL,
      buckets: WEBHOOK_BUCKETS,
      registers,
    });
    this.#requests = new Counter({
      name: name('webhook_request_total'),
      help: 'Calls to webhooks by the status code of the response.',
      labelNames: [...CALL, 'code'],
      registers,
    });
    this.#rejections = new Counter({
      name: name('webhook_rejection_count'),
      help: 'Requests that a webhook rejected, or that failed because a call to a webhook failed.',
      labelNames: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
      registers,
    });
    this.#failOpen = new Counter({
      name: name('webhook_fail_open_count'),
      help: 'Failed calls to webhooks that were ignored because of failurePolicy: Ignore.',
      labelNames: ['name', 'type'],
      registers,
    });
  }

  families(): Family[] {
    return [this.#step, this.#plugin];
  }

  step({ type, operation, rejected, seconds }: Omit<AdmissionCall, 'name'>): void {
    const slot = slotOf(type, operation, rejected);
    const series = (this.#steps[slot] ??= this.#step.with(type, operation, String(rejected)));
    series.observe(seconds);
  }

  plugin(call: AdmissionCall): void {
    this.#seriesOf(call).observe(call.seconds);
  }

  /** Each write looks for some: without a text of all labels, which takes 1 µs. */
  #seriesOf({ name, type, operation, rejected }: AdmissionCall): HistogramSeries {
    let all = this.#plugins.get(name);
    if (all === undefined) this.#plugins.set(name, (all = []));
    const slot = slotOf(type, operation, rejected);
    return (all[slot] ??= this.#plugin.with(name, type, operation, String(rejected)));
  }

  webhook(call: AdmissionCall, code: number): void {
    const labels = labelsOf(call);
    this.#webhook.observe(labels, call.seconds);
    this.#requests.inc({ ...labels, code: String(code) });
  }

  webhookRejected(call: AdmissionCall, errorType: WebhookErrorType, code: number): void {
    const { name, type, operation } = call;
    this.#rejections.inc({
      name,
      type,
      operation,
      error_type: errorType,
      rejection_code: String(code),
    });
  }

  webhookFailedOpen({ name, type }: Pick<AdmissionCall, 'name' | 'type'>): void {
    this.#failOpen.inc({ name, type });
  }
}

function slotOf(type: string, operation: AdmissionCall['operation'], rejected: boolean): number {
  return SLOTS[operation] + (type === 'admit' ? 2 : 0) + (rejected ? 1 : 0);
}

function labelsOf({ name, type, operation, rejected }: AdmissionCall) {
  return { name, type, operation, rejected: String(rejected) };
}
