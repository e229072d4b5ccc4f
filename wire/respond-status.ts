import { aliasStatus } from '../api/alias-text.ts';
import type { ApiError } from '../api/api-error.ts';
import type { JsonObject } from '../api/json.ts';
import { atOnce } from '../api/steps.ts';
import type { Status } from '../api/status.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../http/exchange.ts';
import { answer, textOf } from './answer.ts';
import { negotiateStatus, type Representation } from './negotiate.ts';
import { objectSteps } from './protobuf/document.ts';

/** A Status in the format that the client accepts, or else in JSON, by the name that it asked by. */
export function respondStatus(exchange: Exchange, given: Status, code: number): ApiResponse {
  const { alias, group } = exchange.info;
  const status = alias ? aliasStatus(given, group) : given;
  const representation = negotiateStatus(exchange.request, code);
  const body = bodyOf(status as unknown as JsonObject, representation);
  const response = answer(exchange, code, representation, body);
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  if (retryAfter > 0) response.headers['retry-after'] = String(retryAfter);
  // Its message repeats names that the client chose; a browser must not take it for a page.
  if (code === 403) response.headers['x-content-type-options'] = 'nosniff';
  return response;
}

/** A guess: a Status is small. */
const STATUS_BYTES = 512;

function bodyOf(status: JsonObject, representation: Representation): Buffer {
  if (representation.format !== 'protobuf') return textOf(status, representation);
  return atOnce(objectSteps(status, STATUS_BYTES));
}

/** The answer to a request that failed. */
export function respondError(exchange: Exchange, error: ApiError): ApiResponse {
  return respondStatus(exchange, error.status, error.code);
}
