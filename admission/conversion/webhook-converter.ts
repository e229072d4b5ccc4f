import { apiError, type ApiError } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { isObject, type JsonValue } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { Turn } from '../../api/turn.ts';
import type { ConversionWebhook } from '../../resources/definition.ts';
import { CallError } from '../../outbound/call-error.ts';
import { endpointOf } from '../../outbound/endpoint.ts';
import type { HttpsClient } from '../../outbound/https-client.ts';
import { restoreMetadata } from './restore-metadata.ts';
import { convertedObjects, reviewBody, ReviewError, reviewVersionOf } from './review.ts';

/** A webhook that has not answered after so long has failed (behaviours 7.16). */
const TIMEOUT_SECONDS = 30;
/** One review carries about so much: what is more is asked for in several, so that none takes long to write and read. */
const MAX_BATCH_OBJECTS = 100;
const MAX_BATCH_BYTES = 256 * 1024;
/** A converted object may be larger than it was, but not without end. */
const MAX_ANSWER_BYTES = 3 * 1024 * 1024;

interface WebhookConverterParts {
  readonly client: HttpsClient;
  readonly clock: Clock;
  readonly newUid: () => string;
  /** Told of each review: whether it was converted, and in how many seconds. */
  readonly onReview?: (succeeded: boolean, seconds: number) => void;
}

/** Objects of one kind that are to become those of another version. */
interface Conversion {
  readonly webhook: ConversionWebhook;
  readonly kind: string;
  readonly objects: readonly ApiObject[];
  readonly apiVersion: string;
}

/** Objects that are sent together. */
interface Batch {
  /** Where they belong in the answer. */
  readonly at: readonly number[];
  readonly originals: readonly ApiObject[];
  readonly texts: readonly string[];
}

/**
 * Has the webhook of a definition convert objects. What comes back is believed
 * in everything but who the object is: its identity and all of its metadata
 * except labels and annotations are what they were.
 */
export class WebhookConverter {
  readonly #parts: WebhookConverterParts;

  constructor(parts: WebhookConverterParts) {
    this.#parts = parts;
  }

  /**
   * The objects in their order; those that are of the version stay as they are.
   *
   * @throws ApiError 500 when the webhook cannot be called or answers wrongly
   */
  async convert(conversion: Conversion): Promise<ApiObject[]> {
    const results = [...conversion.objects];
    for (const batch of batchesOf(conversion)) {
      const converted = await this.#convertBatch(conversion, batch);
      for (const [i, object] of converted.entries()) results[batch.at[i] ?? 0] = object;
    }
    return results;
  }

  async #convertBatch(conversion: Conversion, batch: Batch): Promise<ApiObject[]> {
    const { clock, onReview } = this.#parts;
    const began = clock.monotonic();
    let succeeded = false;
    try {
      const answer = await this.#ask(conversion, batch.texts);
      const converted = await checkedObjects(
        conversion,
        batch.originals,
        answer,
        new Turn(clock, 1),
      );
      succeeded = true;
      return converted;
    } catch (error) {
      if (error instanceof ReviewError || error instanceof CallError) {
        throw failed(batch.originals, `failed: ${error.message}`, error);
      }
      throw error;
    } finally {
      onReview?.(succeeded, (clock.monotonic() - began) / 1000);
    }
  }

  async #ask(
    { webhook, apiVersion }: Conversion,
    objects: readonly string[],
  ): Promise<JsonValue[]> {
    const { client, newUid } = this.#parts;
    const endpoint = endpointOf(webhook.clientConfig);
    const version = reviewVersionOf(webhook.reviewVersions);
    const uid = newUid();
    const { status, body } = await client.call({
      endpoint,
      method: 'POST',
      path: `${endpoint.path}?timeout=${TIMEOUT_SECONDS}s`,
      headers: {
        accept: 'application/json, */*',
        'content-type': 'application/json',
        'user-agent': 'plinth-conversion',
      },
      body: reviewBody({ version, uid, desiredApiVersion: apiVersion, objects }),
      timeoutMs: TIMEOUT_SECONDS * 1000,
      maxBytes: MAX_ANSWER_BYTES,
    });
    if (status < 200 || status > 206) {
      throw new ReviewError(`the webhook responded with status ${status}`);
    }
    return convertedObjects(body, { version, uid });
  }
}

/** Objects that have to be converted, in reviews of bounded size. */
function* batchesOf({ objects, apiVersion }: Conversion): Iterable<Batch> {
  let batch = { at: [] as number[], originals: [] as ApiObject[], texts: [] as string[] };
  let bytes = 0;
  for (const [i, object] of objects.entries()) {
    if (object.apiVersion === apiVersion) continue;
    const text = stringifyJson(withoutRevision(object));
    const isFull = batch.at.length === MAX_BATCH_OBJECTS || bytes + text.length > MAX_BATCH_BYTES;
    if (isFull && batch.at.length > 0) {
      yield batch;
      batch = { at: [], originals: [], texts: [] };
      bytes = 0;
    }
    batch.at.push(i);
    batch.originals.push(object);
    batch.texts.push(text);
    bytes += text.length;
  }
  if (batch.at.length > 0) yield batch;
}

/** Webhooks see what is stored: the resourceVersion is not part of it. */
function withoutRevision(object: ApiObject): ApiObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** In turns: the webhook decides how large the objects are. */
async function checkedObjects(
  conversion: Conversion,
  originals: readonly ApiObject[],
  answer: readonly JsonValue[],
  turn: Turn,
): Promise<ApiObject[]> {
  if (answer.length !== originals.length) {
    const why = `returned ${answer.length} objects, expected ${originals.length}`;
    throw failed(originals, why);
  }
  const checked: ApiObject[] = [];
  for (const [i, original] of originals.entries()) {
    if (turn.over()) await turn.next();
    checked.push(checkedObject(conversion, originals, original, { at: i, value: answer[i] }));
  }
  return checked;
}

function checkedObject(
  { kind, apiVersion }: Conversion,
  originals: readonly ApiObject[],
  original: ApiObject,
  answered: { readonly at: number; readonly value: JsonValue | undefined },
): ApiObject {
  const object = answered.value;
  const at = `returned invalid object at index ${answered.at}:`;
  if (!isObject(object)) throw failed(originals, `${at} must be an object`);
  if (object.apiVersion !== apiVersion) {
    const received = textOf(object.apiVersion);
    const why = `invalid groupVersion (expected ${apiVersion}, received ${received})`;
    throw failed(originals, `${at} ${why}`);
  }
  if (object.kind !== kind) {
    const why = `invalid kind (expected ${kind}, received ${textOf(object.kind)})`;
    throw failed(originals, `${at} ${why}`);
  }
  const restored = restoreMetadata(original, object);
  if (!restored.ok) {
    throw failed(originals, `returned invalid ${restored.what}: ${restored.why}`);
  }
  return restored.object;
}

const MAX_SHOWN = 128;

function textOf(value: JsonValue | undefined): string {
  return (typeof value === 'string' ? value : '').slice(0, MAX_SHOWN);
}

function failed(originals: readonly ApiObject[], why: string, cause?: unknown): ApiError {
  const [first] = originals;
  const type = `${textOf(first?.apiVersion)}, Kind=${textOf(first?.kind)}`;
  return apiError(500, '', `conversion webhook for ${type} ${why}`, undefined, cause);
}
