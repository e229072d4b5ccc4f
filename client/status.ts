/** One reason among several, and the field it is about. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  /** Path of the field: `spec.replicas`. */
  readonly field?: string;
}

/** What the server answers instead of an object when a request fails. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion?: string;
  readonly status?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
}

/** The server refused a request, or an answer could not be read (code 0 and reason `InvalidAnswer`). */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  /** HTTP status. */
  readonly code: number;
  /** `NotFound`, `Conflict`, `Forbidden`, …; `Unknown` where the server names none. */
  readonly reason: string;
  readonly status: Status;

  constructor(status: Status, code: number) {
    super(status.message ?? `the server answered ${code}`);
    this.status = status;
    this.code = status.code ?? code;
    this.reason = status.reason ?? 'Unknown';
  }

  /** What is wrong, field by field; empty where the server names no fields. */
  get causes(): readonly StatusCause[] {
    return this.status.details?.causes ?? [];
  }

  /** Seconds after which the server asks to try again; undefined: it does not say. */
  get retryAfterSeconds(): number | undefined {
    return this.status.details?.retryAfterSeconds;
  }
}

/** A Status of the client itself: no server has sent it. */
export function invalidAnswer(message: string): StatusError {
  return new StatusError({ kind: 'Status', reason: 'InvalidAnswer', message }, 0);
}

/** The error of an answer that is not 2xx; `text`: its body. */
export function errorOf(code: number, text: string): StatusError {
  const value = parsed(text);
  if (isStatus(value)) return new StatusError(value, code);
  const message = text === '' ? `the server answered ${code}` : text.slice(0, MAX_MESSAGE_LENGTH);
  return new StatusError({ kind: 'Status', message }, code);
}

/** Characters of an answer without a Status, as they stand in an error. */
const MAX_MESSAGE_LENGTH = 1_024;

/** Tells the answer of an error, or of a delete, from an object by its `kind`. */
export function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
