import { aliasGroup } from '../../api/naming.ts';
import { isUtf8 } from 'node:buffer';
import { JsonSyntaxError, TooManyFields } from '../../api/json-error.ts';
import { parseLargeJson } from '../../api/json-parse.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';

/** The group of ConversionReview. */
const REVIEW_GROUP = 'apiextensions.cluster.io';
/** What Kubernetes calls it; webhooks that were written for it answer so. */
const KUBERNETES_REVIEW_GROUP = aliasGroup(REVIEW_GROUP);
const REVIEW_KIND = 'ConversionReview';
/** Versions of ConversionReview that this server speaks. */
const KNOWN_VERSIONS = ['v1', 'v1beta1'] as const;
/** Of what a webhook says, so much is shown. */
const MAX_MESSAGE = 1_024;

/** Keys, or objects and lists, of an answer: a stored object and its managed fields may have 50,000 each. */
const MAX_ANSWER_FIELDS = 150_000;

type ReviewVersion = (typeof KNOWN_VERSIONS)[number];

/** Why a webhook's response is not a conversion. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
}

/** The first version of the webhook's list that this server knows. */
export function reviewVersionOf(accepted: readonly string[]): ReviewVersion {
  for (const version of accepted) {
    const known = KNOWN_VERSIONS.find((name) => name === version);
    if (known !== undefined) return known;
  }
  throw new ReviewError(`no known conversion review version: ${JSON.stringify(accepted)}`);
}

interface ReviewRequest {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly desiredApiVersion: string;
  /** JSON of the objects. */
  readonly objects: readonly string[];
}

/** The text of a ConversionReview; `objects` are finished JSON. */
export function reviewBody({ version, uid, desiredApiVersion, objects }: ReviewRequest): string {
  const head = stringifyJson({ kind: REVIEW_KIND, apiVersion: `${REVIEW_GROUP}/${version}` });
  const request = stringifyJson({ uid, desiredAPIVersion: desiredApiVersion });
  return `${head.slice(0, -1)},"request":${request.slice(0, -1)},"objects":[${objects.join(',')}]}}`;
}

/**
 * The objects of an answer, not looked at yet; a large one is read over several turns. v1beta1 never asked webhooks to
 * name type and uid in their answers.
 *
 * @throws ReviewError
 */
export async function convertedObjects(
  body: Buffer,
  { version, uid }: Pick<ReviewRequest, 'version' | 'uid'>,
): Promise<JsonValue[]> {
  const review = await parsed(body);
  checkType(review, version);
  const response = getOwn(review, 'response') ?? null;
  if (!isObject(response)) throw new ReviewError('no response provided');
  const given = getOwn(response, 'uid') ?? '';
  if (version === 'v1' && given !== uid) {
    throw new ReviewError(`expected response.uid=${JSON.stringify(uid)}, got ${shown(given)}`);
  }
  checkResult(getOwn(response, 'result'));
  const objects = getOwn(response, 'convertedObjects') ?? [];
  if (!Array.isArray(objects)) throw new ReviewError('response.convertedObjects must be a list');
  return objects;
}

async function parsed(body: Buffer): Promise<JsonObject> {
  if (body.length === 0) throw new ReviewError('the response is empty');
  if (!isUtf8(body)) throw new ReviewError('the response is not valid UTF-8');
  let value: JsonValue;
  try {
    ({ value } = await parseLargeJson(body.toString('utf8'), { maxFields: MAX_ANSWER_FIELDS }));
  } catch (error) {
    if (error instanceof TooManyFields) throw new ReviewError(`the response ${error.message}`);
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new ReviewError('the response is not valid JSON');
  }
  if (!isObject(value)) throw new ReviewError('the response must be a JSON object');
  return value;
}

function checkType(review: JsonObject, version: ReviewVersion): void {
  const apiVersion = getOwn(review, 'apiVersion') ?? '';
  const kind = getOwn(review, 'kind') ?? '';
  if (version === 'v1beta1' && apiVersion === '' && kind === '') return;
  const wanted = `${REVIEW_GROUP}/${version}`;
  const isKnown = apiVersion === wanted || apiVersion === `${KUBERNETES_REVIEW_GROUP}/${version}`;
  if (isKnown && kind === REVIEW_KIND) return;
  throw new ReviewError(
    `expected webhook response of ${wanted}, Kind=${REVIEW_KIND}, got ${shown(apiVersion)}, Kind=${shown(kind)}`,
  );
}

function checkResult(result: JsonValue | undefined): void {
  const { status, message } = isObject(result) ? result : {};
  if (status === 'Success') return;
  throw new ReviewError(
    typeof message === 'string' && message !== ''
      ? message.slice(0, MAX_MESSAGE)
      : `response.result.status was ${shown(status ?? '')}, not "Success"`,
  );
}

function shown(value: JsonValue): string {
  return stringifyJson(value).slice(0, MAX_SHOWN);
}

const MAX_SHOWN = 128;
