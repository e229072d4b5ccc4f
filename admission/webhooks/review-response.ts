import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { Status, StatusCause, StatusDetails, StatusReason } from '../../api/status.ts';
import { KUBERNETES_REVIEW_GROUP, REVIEW_GROUP } from './review-request.ts';
import type { ReviewVersion } from './webhook.ts';

/** A webhook's answer, found to be one. */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly result: Partial<Status> | undefined;
  /** Text of a JSON patch; undefined when there is none. */
  readonly patch: string | undefined;
  readonly patchType: string;
  readonly auditAnnotations: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/** Why an answer is of no use; nothing of the answer is in the message but names of types and the uid. */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse';
}

interface Expected {
  readonly version: ReviewVersion;
  readonly uid: string;
  /** A mutating webhook may send a patch, a validating one must not. */
  readonly mutating: boolean;
}

/**
 * Reads an answer strictly, as v1 demands; v1beta1 never checked type, uid and
 * patchType (behaviours 8.3).
 *
 * @throws InvalidResponse
 */
export function readResponse(review: JsonValue, expected: Expected): ReviewResponse {
  if (!isObject(review)) throw new InvalidResponse('the response must be a JSON object');
  checkType(review, expected.version);
  const response = getOwn(review, 'response') ?? undefined;
  if (response === undefined) throw new InvalidResponse('webhook response was absent');
  const fields = new Fields(response, 'response');
  const uid = fields.string('uid');
  if (expected.version === 'v1' && uid !== expected.uid) {
    throw new InvalidResponse(
      `expected response.uid=${JSON.stringify(expected.uid)}, got ${JSON.stringify(uid.slice(0, MAX_SHOWN))}`,
    );
  }
  return {
    allowed: fields.boolean('allowed'),
    result: readStatus(fields),
    ...readPatch(fields, expected),
    auditAnnotations: fields.stringMap('auditAnnotations'),
    warnings: fields.strings('warnings'),
  };
}

const MAX_SHOWN = 64;

function checkType(review: JsonObject, version: ReviewVersion): void {
  const fields = new Fields(review, '');
  const [apiVersion, kind] = [fields.string('apiVersion'), fields.string('kind')];
  // the older form was read whatever it said of itself, as long as it said nothing else
  if (version === 'v1beta1' && apiVersion === '' && kind === '') return;
  const wanted = `${REVIEW_GROUP}/${version}`;
  const isKnown = apiVersion === wanted || apiVersion === `${KUBERNETES_REVIEW_GROUP}/${version}`;
  if (isKnown && kind === 'AdmissionReview') return;
  const got = `${apiVersion.slice(0, MAX_SHOWN)}, Kind=${kind.slice(0, MAX_SHOWN)}`;
  throw new InvalidResponse(
    `expected webhook response of ${wanted}, Kind=AdmissionReview, got ${got}`,
  );
}

function readPatch(
  fields: Fields,
  { version, mutating }: Expected,
): Pick<ReviewResponse, 'patch' | 'patchType'> {
  const patch = fields.base64('patch');
  const type = fields.optionalString('patchType');
  if (version === 'v1beta1') {
    return mutating ? { patch, patchType: 'JSONPatch' } : { patch: undefined, patchType: '' };
  }
  if (!mutating) {
    if (patch !== undefined) {
      throw new InvalidResponse('validating webhook may not return response.patch');
    }
    if (type !== undefined) {
      throw new InvalidResponse('validating webhook may not return response.patchType');
    }
    return { patch: undefined, patchType: '' };
  }
  if (patch !== undefined && type === undefined) {
    throw new InvalidResponse('webhook returned response.patch but not response.patchType');
  }
  if (patch === undefined && type !== undefined) {
    throw new InvalidResponse('webhook returned response.patchType but not response.patch');
  }
  if (type === '') throw new InvalidResponse('webhook returned invalid response.patchType of ""');
  return { patch, patchType: type ?? '' };
}

function readStatus(fields: Fields): Partial<Status> | undefined {
  const status = fields.object('status');
  if (status === undefined) return undefined;
  const details = status.object('details');
  return {
    message: status.string('message'),
    // a webhook may give reasons of its own
    reason: status.string('reason') as StatusReason,
    code: status.int32('code'),
    ...(details === undefined ? {} : { details: readDetails(details) }),
  };
}

function readDetails(details: Fields): StatusDetails {
  const retryAfterSeconds = details.int32('retryAfterSeconds');
  const causes = details
    .objects('causes')
    .map((cause): StatusCause => cause.texts('reason', 'message', 'field'));
  return {
    ...details.texts('name', 'group', 'kind', 'uid'),
    ...(causes.length === 0 ? {} : { causes }),
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  };
}

const INT32 = 2 ** 31;
/** With a length of whole quadruples. Quadruples in the pattern itself take 60 ms of a patch of 2 MB. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Fields of an object, of the types that they must have; absent ones and null are empty. */
class Fields {
  readonly #object: JsonObject;
  readonly #path: string;

  constructor(value: JsonValue, path: string) {
    if (!isObject(value)) throw new InvalidResponse(`${path} must be an object`);
    this.#object = value;
    this.#path = path;
  }

  optionalString(key: string): string | undefined {
    const value = this.#get(key);
    if (value === undefined || typeof value === 'string') return value;
    throw this.#wrong(key, 'a string');
  }

  string(key: string): string {
    return this.optionalString(key) ?? '';
  }

  texts(...keys: string[]): Record<string, string> {
    const texts = keys.map((key): [string, string] => [key, this.string(key)]);
    return Object.fromEntries(texts.filter(([, text]) => text !== ''));
  }

  boolean(key: string): boolean {
    const value = this.#get(key) ?? false;
    if (typeof value === 'boolean') return value;
    throw this.#wrong(key, 'a boolean');
  }

  int32(key: string): number {
    const value = this.#get(key) ?? 0;
    if (Number.isInteger(value) && (value as number) < INT32 && (value as number) >= -INT32) {
      return value as number;
    }
    throw this.#wrong(key, 'a 32-bit integer');
  }

  base64(key: string): string | undefined {
    const text = this.string(key).replace(/[\r\n]/g, '');
    if (text === '') return undefined;
    if (text.length % 4 !== 0 || !BASE64.test(text)) throw this.#wrong(key, 'base64');
    return Buffer.from(text, 'base64').toString('utf8');
  }

  strings(key: string): readonly string[] {
    const value = this.#get(key) ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw this.#wrong(key, 'a list of strings');
  }

  stringMap(key: string): ReadonlyMap<string, string> {
    const map = new Map<string, string>();
    const value = this.#get(key) ?? {};
    if (!isObject(value)) throw this.#wrong(key, 'an object');
    for (const [name, text] of Object.entries(value)) {
      if (typeof text !== 'string') throw this.#wrong(`${key}.*`, 'a string');
      map.set(name, text);
    }
    return map;
  }

  object(key: string): Fields | undefined {
    const value = this.#get(key);
    return value === undefined ? undefined : new Fields(value, this.#at(key));
  }

  objects(key: string): Fields[] {
    const value = this.#get(key) ?? [];
    if (!Array.isArray(value)) throw this.#wrong(key, 'a list');
    return value.map((item, i) => new Fields(item, `${this.#at(key)}[${i}]`));
  }

  #get(key: string): JsonValue | undefined {
    return getOwn(this.#object, key) ?? undefined;
  }

  #at(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }

  #wrong(key: string, wanted: string): InvalidResponse {
    return new InvalidResponse(`${this.#at(key)} must be ${wanted}`);
  }
}
