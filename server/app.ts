import type { Clock } from '../api/clock.ts';
import { badRequest } from '../api/api-error.ts';
import type { ApiRequest } from '../http/message.ts';
import { framingProblem } from '../http/framing.ts';
import { jsonResponse } from '../http/message.ts';
import { Exchange, joined, type Answer, type Stage } from '../http/exchange.ts';
import { requestInfoOf } from '../http/request-info.ts';

/**
 * The request pipeline: the stages in the order in which they see a request.
 * `stages` ends with one that answers; `aliases`: groups also answer under their
 * aliases. Never throws or rejects.
 */
export function appOf(
  stages: readonly Stage[],
  clock: Clock,
  aliases = true,
): (request: ApiRequest) => Answer {
  const handle = joined(stages);
  return (request) => {
    const problem = framingProblem(request);
    if (problem !== undefined) {
      const headers = { connection: 'close' };
      return jsonResponse(problem.code, problem.status, headers);
    }
    const info = requestInfoOf(request.method, request.rawPath, request.query, aliases);
    if (info === undefined) {
      const { status } = badRequest('the path is not valid percent-encoding');
      return jsonResponse(400, status);
    }
    return handle(new Exchange(request, info, clock.monotonic()));
  };
}
