import { badRequest, type ApiError } from '../api/api-error.ts';
import type { ApiRequest } from './message.ts';

/**
 * What is wrong with the head of a request in a way that servers on the way may
 * understand differently: two Host headers, or a transfer coding other than
 * chunked (RFC 9112, sections 3.2 and 6.1).
 */
export function framingProblem({ headers, rawHeaders }: ApiRequest): ApiError | undefined {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return badRequest(
      `the transfer coding ${JSON.stringify(coding)} is not supported: use chunked`,
    );
  }
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1 ? badRequest('the request has several Host headers') : undefined;
}
