import { ApiError, internalError } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { translateStoreError } from '../../storage/translate-error.ts';
import { ClientGone } from '../../http/client-gone.ts';
import { isPushed, type ApiResponse } from '../../http/message.ts';
import { measuredBody } from '../../telemetry/metrics/measured-body.ts';
import { attempted, type Exchange, type Stage } from '../../http/exchange.ts';
import type { AuditBackend, AuditEvent } from './backend.ts';
import { MAX_AUDIT_BODY_BYTES } from './event-objects.ts';
import { auditEvent } from './event.ts';
import type { AuditDecider, AuditDecision, AuditLevel, AuditStage } from './policy.ts';
import { isAboutSecrets } from './secrets.ts';
import { TappedBody } from './tapped-body.ts';
import type { SentBody } from './event-parts.ts';

export interface AuditOptions {
  readonly decider: () => AuditDecider;
  readonly backends: readonly AuditBackend[];
  readonly clock: Clock;
  readonly onWritten: () => void;
}

/** One request as the audit log sees it. */
class AuditRecord {
  readonly decision: AuditDecision;
  readonly #options: AuditOptions;
  readonly #exchange: Exchange;
  readonly #receivedAt: number;
  #requestBody: Buffer | undefined;

  constructor(options: AuditOptions, exchange: Exchange) {
    this.#options = options;
    this.#exchange = exchange;
    const decision = options.decider().decide(exchange.info, exchange.user);
    this.decision = { ...decision, level: cappedLevel(decision.level, exchange) };
    const { clock } = options;
    this.#receivedAt = clock.now() - (clock.monotonic() - exchange.startedAt);
  }

  get showsRequest(): boolean {
    return this.decision.level === 'Request' || this.showsResponse;
  }

  get showsResponse(): boolean {
    return this.decision.level === 'RequestResponse';
  }

  /** Keeps the body when it is read. */
  tapRequest(): void {
    const { request } = this.#exchange;
    this.#exchange.request = {
      ...request,
      body: async (maxBytes) => (this.#requestBody = await request.body(maxBytes)),
    };
  }

  /** A promise: what comes next waits for it; false in it: nothing may come. */
  write(stage: AuditStage, more: Told = {}): true | Promise<boolean> {
    const { level, omitStages } = this.decision;
    if (level === 'None' || omitStages.has(stage)) return true;
    const { clock } = this.#options;
    const event = auditEvent({
      exchange: this.#exchange,
      decision: this.decision,
      stage,
      receivedAt: this.#receivedAt,
      now: clock.now(),
      code: more.code,
      status: more.error?.status,
      requestBody: stage === 'RequestReceived' ? undefined : this.#requestBody,
      responseBody: more.body,
    });
    return event instanceof Promise
      ? event.then((composed) => this.#send(composed))
      : this.#send(event);
  }

  #send(event: AuditEvent): true | Promise<boolean> {
    const { backends, onWritten } = this.#options;
    onWritten();
    const waits = backends
      .map((backend) => backend.write(event))
      .filter((result) => result !== true);
    return waits.length === 0 || Promise.all(waits).then((all) => all.every((isKept) => isKept));
  }
}

/** What there is to tell of an answer. */
interface Told {
  readonly code?: number;
  readonly error?: ApiError;
  readonly body?: SentBody | undefined;
}

function cappedLevel(level: AuditLevel, { info }: Exchange): AuditLevel {
  return isAboutSecrets(info) && level !== 'None' ? 'Metadata' : level;
}

/** Notes who was not let in; stands before authentication. */
export function auditRefusalStage(options: AuditOptions): Stage {
  return {
    name: 'audit-refusal',
    handle(exchange, next) {
      const refused = async (error: unknown): Promise<never> => {
        if (exchange.user === undefined && error instanceof ApiError) {
          const record = new AuditRecord(options, exchange);
          await record.write('ResponseStarted', { code: error.code, error });
        }
        throw error;
      };
      return attempted(next, exchange, refused);
    },
  };
}

/** Writes what is done of each request; stands behind authentication. Source: behaviours 11.2. */
export function auditStage(options: AuditOptions): Stage {
  return {
    name: 'audit',
    async handle(exchange, next) {
      const record = new AuditRecord(options, exchange);
      if (record.decision.level === 'None') return next(exchange);
      const received = record.write('RequestReceived');
      if (received !== true && !(await received)) throw internalError(NOT_STORED);
      if (record.showsRequest) record.tapRequest();
      let response: ApiResponse;
      try {
        response = await next(exchange);
      } catch (thrown) {
        await failed(record, exchange, thrown);
        throw thrown;
      }
      return answered(record, response);
    },
  };
}

const NOT_STORED = 'failed to store audit event';
/** As in log and metrics: the client had gone. */
const CLIENT_GONE = 499;

async function failed(record: AuditRecord, { signal }: Exchange, thrown: unknown): Promise<void> {
  if (signal.reason instanceof ClientGone) {
    await record.write('ResponseComplete', { code: CLIENT_GONE });
    return;
  }
  const translated = translateStoreError(thrown);
  const error = ApiError.from(translated);
  const stage = translated instanceof ApiError ? 'ResponseComplete' : 'Panic';
  await record.write(stage, { code: error.code, error });
}

async function answered(record: AuditRecord, response: ApiResponse): Promise<ApiResponse> {
  const { body, status: code, headers } = response;
  if (isPushed(body)) {
    await record.write('ResponseStarted', { code });
    const ended = (): void => void record.write('ResponseComplete', { code });
    return { ...response, body: measuredBody(body, { sent: () => undefined, ended }) };
  }
  const contentType = String(headers['content-type']);
  const isCompressed = headers['content-encoding'] === 'gzip';
  const keeps = record.showsResponse && /json|yaml/.test(contentType);
  const complete = (bytes: Buffer | undefined): true | Promise<boolean> => {
    const sent = keeps ? { contentType, isCompressed, bytes } : undefined;
    return record.write('ResponseComplete', { code, body: sent });
  };
  if (Buffer.isBuffer(body)) {
    await complete(body);
    return response;
  }
  return { ...response, body: new TappedBody(body, keeps ? MAX_AUDIT_BODY_BYTES : 0, complete) };
}
