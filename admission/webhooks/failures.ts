import { ApiError, badRequest, internalError, timeout } from '../../api/api-error.ts';
import type { Status } from '../../api/status.ts';

/**
 * A webhook that could not be asked, or whose answer is of no use: failurePolicy
 * decides what comes of it. `code` is what counts it.
 */
export class WebhookFailure extends Error {
  override readonly name = 'WebhookFailure';
  readonly code: number;

  constructor(webhook: string, why: string, code: number, cause?: unknown) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${why}`, { cause });
    this.code = code;
  }
}

/** What the client is told when failurePolicy is Fail (behaviours 8.5). */
export function failedClosed(failure: WebhookFailure): ApiError {
  return internalError(failure.message, failure);
}

/** Over HTTP/2 an answer with a greater one cannot be sent. */
const MAX_CODE = 599;

/** The webhook said no: its status with our words around its message (behaviours 8.4). */
export function denied(webhook: string, result: Partial<Status> | undefined): ApiError {
  const { message = '', reason = '', code = 0, details } = result ?? {};
  const deniedBy = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = message === '' ? reason : message;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: why === '' ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code: code < 400 || code > MAX_CODE ? 400 : code,
  });
}

/** The 400 of a dry run that a webhook with side effects would see. */
export function noDryRun(webhook: string): ApiError {
  return badRequest(`admission webhook ${JSON.stringify(webhook)} does not support dry run`);
}

/** The request itself has been given up while a webhook was asked. */
export function givenUp(): ApiError {
  return timeout('request did not complete within requested timeout');
}
