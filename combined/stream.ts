import { badRequest, methodNotAllowed } from '../api/api-error.ts';
import { getOwn, isObject, type JsonObject } from '../api/json.ts';
import { MEDIA_TYPE } from '../api/naming.ts';
import { integerParameter, type Query } from '../api/query.ts';
import { parseRevision, type Revision } from '../api/revision.ts';
import type { ApiResponse, PushedBody } from '../http/message.ts';
import type { Exchange } from '../http/exchange.ts';
import { invalidVersion } from '../registry/list-options.ts';
import { isWebSocketRequest } from '../wire/websocket/handshake.ts';
import { webSocketAnswer } from '../wire/websocket/websocket-body.ts';
import { jsonBodyOf } from './body.ts';
import { Commands, type CommandsOptions } from './commands.ts';
import { bookmarkOf } from './paths.ts';
import { questionsOf, quoted, type Question } from './question.ts';

/** Of the body of a POST. A misspelt one is refused, or it would have no effect without a word. */
const FIELDS = new Set(['subscriptions', 'resourceVersion', 'timeoutSeconds']);

/** What a stream begins with. */
interface Opening {
  readonly questions: readonly Question[];
  /** For those that do not say where they begin. */
  readonly resourceVersion: string;
  /** 0: the server chooses. */
  readonly timeoutSeconds: number;
}

/**
 * One stream over many resources: as the answer to a POST, whose body names them,
 * or over a WebSocket, on which the client adds and removes them. What is wrong
 * with one of them is an ERROR frame with its id.
 *
 * @throws ApiError 400, 405, 413
 */
export async function stream(options: CommandsOptions, exchange: Exchange): Promise<ApiResponse> {
  const { request } = exchange;
  const isSocket = isWebSocketRequest(request);
  if (!isSocket && request.method !== 'POST') {
    throw methodNotAllowed({ group: '', resource: 'watch' }, 'get without a WebSocket');
  }
  const opening = isSocket ? openingOfQuery(request.query) : openingOf(await jsonBodyOf(request));
  const { resourceVersion } = opening;
  if (resourceVersion !== '' && parseRevision(resourceVersion) === undefined) {
    throw badRequest(`resourceVersion: ${invalidVersion(resourceVersion)}`);
  }
  const body = streamBody(options, exchange, opening);
  if (isSocket) return webSocketAnswer(request, body);
  return { status: 200, headers: { 'content-type': MEDIA_TYPE.json }, body };
}

function openingOfQuery(query: Query): Opening {
  return {
    questions: [],
    resourceVersion: query.get('resourceVersion') ?? '',
    timeoutSeconds: Math.max(0, integerParameter(query, 'timeoutSeconds') ?? 0),
  };
}

function openingOf(body: unknown): Opening {
  if (!isObject(body as JsonObject)) throw badRequest('the body must be an object');
  const sent = body as JsonObject;
  for (const name of Object.keys(sent)) {
    if (!FIELDS.has(name)) {
      throw badRequest(`unknown field ${quoted(name)}: a body has ${[...FIELDS].join(', ')}`);
    }
  }
  const query = new URLSearchParams();
  for (const name of ['resourceVersion', 'timeoutSeconds']) {
    const value = getOwn(sent, name) ?? '';
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw badRequest(`${name}: must be a string or a number`);
    }
    if (value !== '') query.set(name, String(value));
  }
  const questions = questionsOf(getOwn(sent, 'subscriptions'), 'subscriptions');
  return { ...openingOfQuery(query), questions };
}

function streamBody(
  options: CommandsOptions,
  exchange: Exchange,
  { questions, resourceVersion, timeoutSeconds }: Opening,
): PushedBody {
  const { parts } = options;
  return {
    start(sink) {
      const union = parts.watcher.union({
        after: firstRevision(questions, resourceVersion),
        bookmark: bookmarkOf,
        timeoutMs:
          timeoutSeconds > 0 ? timeoutSeconds * 1000 : parts.minWatchMs * (1 + parts.random()),
        sink,
        onClose: () => undefined,
      });
      const commands = new Commands(options, exchange, union, resourceVersion);
      commands.begin(questions);
      return {
        resume: () => union.resume(),
        close: () => union.close(),
        fail: (error) => union.closeWithError(error),
        message: (bytes) => commands.message(bytes),
      };
    },
  };
}

/** The smallest revision that one of them begins at; undefined: all begin with a state. */
function firstRevision(
  questions: readonly Question[],
  resourceVersion: string,
): Revision | undefined {
  const texts = questions.map(({ query }) => query.get('resourceVersion') ?? resourceVersion);
  let first: Revision | undefined;
  for (const text of [...texts, resourceVersion]) {
    const revision = parseRevision(text);
    if (revision === undefined || revision === 0n) continue;
    if (first === undefined || revision < first) first = revision;
  }
  return first;
}
