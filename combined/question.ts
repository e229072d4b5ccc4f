import { badRequest } from '../api/api-error.ts';
import { isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import type { Query } from '../api/query.ts';
import { shortened } from '../api/shortened.ts';

/** One of the lists or watches of a request, as a client has written it. */
export interface Question {
  /** Names it in what is answered. */
  readonly id: string;
  /** `leases.coordination.cluster.io`, `leases.v1.coordination.cluster.io`, `configmaps`. */
  readonly resource: string;
  /** Empty: all namespaces. */
  readonly namespace: string;
  /** Parameters of the list or watch, as on the resource's own path. */
  readonly query: Query;
}

/** Questions that one request may ask, and that one stream may have at a time. */
export const MAX_QUESTIONS = 100;
/** Characters of a name that a client gives to a question. */
const MAX_ID_LENGTH = 128;

/** Parameters of a list that a question may have; the rest belongs to the request as a whole. */
const COMMON_PARAMETERS: readonly string[] = [
  ...['labelSelector', 'fieldSelector', 'filter', 'fields', 'managedFields', 'authorized'],
];
const LIST_PARAMETERS: readonly string[] = [...COMMON_PARAMETERS, 'orderBy', 'limit'];
const WATCH_PARAMETERS: readonly string[] = [
  ...COMMON_PARAMETERS,
  ...['resourceVersion', 'sendInitialEvents', 'as'],
];

/**
 * A question of a URL: `resource[/namespace][?parameters]`, where the parameters
 * are written as those of a URL.
 *
 * @throws ApiError 400
 */
export function questionOfText(text: string, where: string): Question {
  const mark = text.indexOf('?');
  const [resource = '', namespace = '', ...rest] = (mark < 0 ? text : text.slice(0, mark)).split(
    '/',
  );
  if (resource === '' || rest.length > 0) {
    throw badRequest(`${where}: must be resource[/namespace][?parameters], got ${quoted(text)}`);
  }
  const query = new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1));
  for (const name of query.keys()) checkParameter(name, where, LIST_PARAMETERS);
  return {
    id: namespace === '' ? resource : `${resource}/${namespace}`,
    resource,
    namespace,
    query,
  };
}

/** A question of a body: an object with `id`, `resource`, `namespace` and parameters. @throws ApiError 400 */
function questionOfJson(value: JsonValue, where: string): Question {
  if (!isObject(value)) throw badRequest(`${where}: must be an object`);
  const { id = '', resource = '', namespace = '', ...parameters } = value;
  if (typeof id !== 'string' || id.length > MAX_ID_LENGTH || id === '') {
    throw badRequest(`${where}.id: must be a string of 1 to ${MAX_ID_LENGTH} characters`);
  }
  if (typeof resource !== 'string' || resource === '') {
    throw badRequest(
      `${where}.resource: must be the name of a resource, like leases.coordination.cluster.io`,
    );
  }
  if (typeof namespace !== 'string') throw badRequest(`${where}.namespace: must be a string`);
  const query = queryOf(parameters, where);
  return { id, resource, namespace, query };
}

function queryOf(parameters: JsonObject, where: string): Query {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    checkParameter(name, where, WATCH_PARAMETERS);
    if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') {
      throw badRequest(`${where}.${name}: must be a string, a number or a boolean`);
    }
    query.set(name, String(value));
  }
  return query;
}

function checkParameter(name: string, where: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw badRequest(
    `${where}: unknown parameter ${quoted(name)}, must be one of ${known.join(', ')}`,
  );
}

/**
 * A list of questions of a body.
 *
 * @throws ApiError 400 also for more than {@link MAX_QUESTIONS}, and for a name that occurs twice
 */
export function questionsOf(value: JsonValue | undefined, where: string): Question[] {
  if (!Array.isArray(value)) throw badRequest(`${where}: must be a list`);
  checkNumber(value.length, where);
  const questions = value.map((each, i) => questionOfJson(each, `${where}[${i}]`));
  checkNames(questions, where);
  return questions;
}

/** @throws ApiError 400 */
export function checkNumber(count: number, where: string): void {
  if (count > MAX_QUESTIONS)
    throw badRequest(`${where}: must be at most ${MAX_QUESTIONS}, got ${count}`);
}

function checkNames(questions: readonly Question[], where: string): void {
  const ids = new Set<string>();
  for (const { id } of questions) {
    if (ids.has(id)) throw badRequest(`${where}: the id ${quoted(id)} occurs twice`);
    ids.add(id);
  }
}

/** Text of a client as it stands in a message. */
export function quoted(text: string): string {
  return JSON.stringify(shortened(text, MAX_ID_LENGTH));
}
