import { CellFamily, HistogramFamily, type Cell, type Family, type Histogram } from './family.ts';

/** 1 ms to 16 s. */
const CALL_BUCKETS = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);
const WRITE_BUCKETS = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

type AuthenticationResult = 'success' | 'failure' | 'error';
type AuthorizationResult = 'allowed' | 'denied' | 'no-opinion' | 'error';
export type FieldValidation = '' | 'Ignore' | 'Warn' | 'Strict' | 'invalid';

/** Counts what happens on the way to a verb: handshakes, who may come in, what is deprecated. */
export class AccessMetrics {
  readonly #handshakes = new CellFamily(
    'apiserver_tls_handshake_errors_total',
    'counter',
    'Connections that ended in the TLS handshake.',
    [],
  );
  readonly #authentications = new Attempts<AuthenticationResult>(
    new CellFamily('authentication_attempts', 'counter', 'Authentications by result.', ['result']),
    new HistogramFamily(
      'authentication_duration_seconds',
      'Duration of authentications by result.',
      CALL_BUCKETS,
      ['result'],
    ),
  );
  readonly #authorizations = new Attempts<AuthorizationResult>(
    new CellFamily('authorization_attempts_total', 'counter', 'Authorizations by result.', [
      'result',
    ]),
    new HistogramFamily(
      'authorization_duration_seconds',
      'Duration of authorizations by result.',
      CALL_BUCKETS,
      ['result'],
    ),
  );
  readonly #deprecated = new CellFamily(
    'apiserver_requested_deprecated_apis',
    'gauge',
    'Deprecated APIs that were requested since the start.',
    ['group', 'version', 'resource', 'subresource', 'removed_release'],
  );
  readonly #fieldValidation = new HistogramFamily(
    'field_validation_request_duration_seconds',
    'Duration of writes by the value of fieldValidation.',
    WRITE_BUCKETS,
    ['field_validation'],
  );
  readonly #auditEvents = new CellFamily(
    'apiserver_audit_event_total',
    'counter',
    'Audit events that were written.',
    [],
  );
  /** Shown from the start on, as counters without labels are. */
  readonly #handshakeErrors = this.#handshakes.with();
  readonly #auditEventCount = this.#auditEvents.with();

  families(): Family[] {
    return [
      this.#handshakes,
      ...this.#authentications.families,
      ...this.#authorizations.families,
      this.#deprecated,
      this.#fieldValidation,
      this.#auditEvents,
    ];
  }

  tlsHandshakeFailed(): void {
    this.#handshakeErrors.value++;
  }

  authenticated(result: AuthenticationResult, seconds: number): void {
    this.#authentications.observe(result, seconds);
  }

  authorized(result: AuthorizationResult, seconds: number): void {
    this.#authorizations.observe(result, seconds);
  }

  /** For a served version that is deprecated; `removedRelease` as `1.40`, empty when not known. */
  deprecatedApi(
    { group, version, resource }: { group: string; version: string; resource: string },
    subresource = '',
    removedRelease = '',
  ): void {
    this.#deprecated.with(group, version, resource, subresource, removedRelease).value = 1;
  }

  fieldValidation(level: FieldValidation, seconds: number): void {
    this.#fieldValidation.with(level).observe(seconds);
  }

  auditEvent(): void {
    this.#auditEventCount.value++;
  }
}

/** How often, and for how long, something was tried that every request needs; by its result. */
class Attempts<Result extends string> {
  readonly families: readonly [CellFamily, HistogramFamily];
  readonly #series = new Map<Result, { readonly count: Cell; readonly time: Histogram }>();

  constructor(counts: CellFamily, times: HistogramFamily) {
    this.families = [counts, times];
  }

  observe(result: Result, seconds: number): void {
    let series = this.#series.get(result);
    if (series === undefined) {
      const [counts, times] = this.families;
      series = { count: counts.with(result), time: times.with(result) };
      this.#series.set(result, series);
    }
    series.count.value++;
    series.time.observe(seconds);
  }
}
