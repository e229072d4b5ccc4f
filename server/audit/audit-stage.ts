import { ApiError } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { translateStoreError } from '../../registry/store-errors.ts';
import { isPushed, type ApiResponse } from '../http/message.ts';
import { measuredBody } from '../metrics/measured-body.ts';
import type { Exchange, Stage } from '../pipeline/exchange.ts';
import type { AuditBackend } from './backend.ts';
import { eventText, MAX_AUDIT_BODY_BYTES } from './event.ts';
import type { AuditDecider, AuditDecision, AuditLevel, AuditStage } from './policy.ts';
import { TappedBody } from './tapped-body.ts';

export interface AuditOptions {
  readonly decider: () => AuditDecider;
  readonly backends: readonly AuditBackend[];
  readonly clock: Clock;
  readonly onWritten: () => void;
  readonly onLost: () => void;
}

/** Reviews carry tokens, and so do answers to requests for one: of these there is only metadata. */
const SECRET_RESOURCES: ReadonlySet<string> = new Set(['tokenreviews', 'tokenrequests']);

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

  write(stage: AuditStage, code?: number, error?: ApiError, responseBody?: Buffer): void {
    const { level, omitStages } = this.decision;
    if (level === 'None' || omitStages.has(stage)) return;
    const { clock, backends, onWritten, onLost } = this.#options;
    const text = eventText({
      exchange: this.#exchange,
      decision: this.decision,
      stage,
      receivedAt: this.#receivedAt,
      now: clock.now(),
      code,
      status: error?.status,
      requestBody: stage === 'RequestReceived' ? undefined : this.#requestBody,
      responseBody,
    });
    onWritten();
    for (const backend of backends) if (!backend.write(text)) onLost();
  }
}

function cappedLevel(level: AuditLevel, { info }: Exchange): AuditLevel {
  const isSecret = SECRET_RESOURCES.has(info.resource) || info.subresource === 'token';
  return isSecret && level !== 'None' ? 'Metadata' : level;
}

/** Notes who was not let in; stands before authentication. */
export function auditRefusalStage(options: AuditOptions): Stage {
  return {
    name: 'audit-refusal',
    handle: (exchange, next) =>
      next().catch((error: unknown) => {
        if (exchange.user === undefined && error instanceof ApiError) {
          const record = new AuditRecord(options, exchange);
          record.write('ResponseStarted', error.code, error);
        }
        throw error;
      }),
  };
}

/** Writes what is done of each request; stands behind authentication. Source: behaviours 11.2. */
export function auditStage(options: AuditOptions): Stage {
  return {
    name: 'audit',
    handle(exchange, next) {
      const record = new AuditRecord(options, exchange);
      if (record.decision.level === 'None') return next();
      record.write('RequestReceived');
      if (record.showsRequest) record.tapRequest();
      return next().then(
        (response) => answered(record, response),
        (thrown: unknown) => {
          const translated = translateStoreError(thrown);
          const error = ApiError.from(translated);
          const stage = translated instanceof ApiError ? 'ResponseComplete' : 'Panic';
          record.write(stage, error.code, error);
          throw thrown;
        },
      );
    },
  };
}

function answered(record: AuditRecord, response: ApiResponse): ApiResponse {
  const { body, status } = response;
  if (isPushed(body)) {
    const meter = {
      started: () => record.write('ResponseStarted', status),
      sent: () => undefined,
      ended: () => record.write('ResponseComplete', status),
    };
    return { ...response, body: measuredBody(body, meter) };
  }
  const isJson = String(response.headers['content-type']).includes('json');
  const keeps = record.showsResponse && isJson;
  if (Buffer.isBuffer(body)) {
    record.write('ResponseComplete', status, undefined, keeps ? body : undefined);
    return response;
  }
  const onEnd = (bytes: Buffer | undefined): void =>
    record.write('ResponseComplete', status, undefined, bytes);
  return { ...response, body: new TappedBody(body, keeps ? MAX_AUDIT_BODY_BYTES : 0, onEnd) };
}
