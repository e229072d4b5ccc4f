import { isUtf8 } from 'node:buffer';
import { badRequest } from '../api/api-error.ts';
import type { JsonValue } from '../api/json.ts';
import { JsonSyntaxError } from '../api/json-error.ts';
import { parseJson } from '../api/json-parse.ts';
import type { ApiRequest } from '../http/message.ts';

/** Bytes of a body that asks several questions, and of a message on an open stream. */
const MAX_QUESTION_BYTES = 64 * 1024;

/** @throws ApiError 400, 413 */
export async function jsonBodyOf(request: ApiRequest): Promise<JsonValue> {
  return jsonOf(await request.body(MAX_QUESTION_BYTES));
}

/** @throws ApiError 400 */
export function jsonOf(bytes: Buffer): JsonValue {
  if (!isUtf8(bytes)) throw badRequest('the text is not valid UTF-8');
  try {
    return parseJson(bytes.toString('utf8')).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw badRequest(`the text is not JSON: ${error.message}`);
    throw error;
  }
}
