import type { Status } from '../../api/status.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { AuditDecision, AuditStage } from './policy.ts';

/** An answer as it was sent. */
export interface SentBody {
  readonly contentType: string;
  readonly isCompressed: boolean;
  /** Undefined when it was too long, or not sent to its end. */
  readonly bytes: Buffer | undefined;
}

/** What one audit event tells of. */
export interface EventParts {
  readonly exchange: Exchange;
  readonly decision: AuditDecision;
  readonly stage: AuditStage;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly now: number;
  /** Undefined before there is an answer. */
  readonly code: number | undefined;
  /** The Status of a refusal. */
  readonly status: Status | undefined;
  readonly requestBody: Buffer | undefined;
  readonly responseBody: SentBody | undefined;
}
