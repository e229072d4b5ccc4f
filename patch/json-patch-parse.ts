import { apiError, badRequest, tooLarge, type ApiError } from '../api/api-error.ts';
import { JsonSyntaxError, TooManyFields } from '../api/json-error.ts';
import { numberFromLiteral } from '../api/json-number.ts';
import {
  MAX_REQUEST_FIELDS,
  parseJson,
  parseLargeJson,
  type ParsedJson,
} from '../api/json-parse.ts';
import { JsonReader } from '../api/json-reader.ts';
import { getOwn, hasOwn, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { stringifyJson } from '../api/json-write.ts';

/** Each operation may copy or move much; a request with more of them is refused (kube-apiserver's limit). */
const MAX_JSON_PATCH_OPERATIONS = 10_000;

const LIMITS = { maxFields: MAX_REQUEST_FIELDS };

/** One operation of RFC 6902 with the members that it needs; unknown members are dropped. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  /** Without a value it passes only where nothing or null stands. */
  | { readonly op: 'test'; readonly path: string; readonly value: JsonValue | undefined }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

type JsonPatchParse =
  | {
      readonly ok: true;
      readonly operations: readonly JsonPatchOperation[];
      /** What `fieldValidation` reports: `json patch unknown field "[0].comment"`, `json patch duplicate field …`. */
      readonly strictProblems: readonly string[];
    }
  | { readonly ok: false; readonly error: ApiError };

export interface JsonPatchReading {
  /**
   * As kube-apiserver reads patches: what is added or put in place
   * without a value is null, and so is a member that is copied or moved and not there, a
   * `replace` adds a member that is not there, and what stands before the first
   * slash of a pointer counts for nothing. But only `replace` and `test` know the
   * whole document.
   */
  readonly forgiving?: boolean;
}

/** {@link parseJsonPatch} for a client's patch: long ones are read over several turns of the event loop. */
export async function parseLargeJsonPatch(
  text: string,
  reading: JsonPatchReading = {},
): Promise<JsonPatchParse> {
  try {
    return readOperations(text, await parseLargeJson(text, LIMITS), reading);
  } catch (error) {
    return unreadable(error);
  }
}

/**
 * Reads the text of a JSON patch. Anything that is not a list of objects is a
 * 400, more than {@link MAX_JSON_PATCH_OPERATIONS} operations a 413, before
 * any of them is looked at, an operation that cannot be carried out a 422.
 * `null` is a patch without operations.
 */
export function parseJsonPatch(text: string, reading: JsonPatchReading = {}): JsonPatchParse {
  try {
    return readOperations(text, parseJson(text, LIMITS), reading);
  } catch (error) {
    return unreadable(error);
  }
}

/** Errors that are not about the text are thrown on. */
function unreadable(error: unknown): JsonPatchParse {
  if (!(error instanceof JsonSyntaxError)) throw error;
  if (error instanceof TooManyFields) {
    return { ok: false, error: tooLarge(`Request entity too large: the patch ${error.message}`) };
  }
  return refused(`error decoding patch: ${error.message}`);
}

function readOperations(
  text: string,
  { value: sent, duplicates }: ParsedJson,
  { forgiving = false }: JsonPatchReading,
): JsonPatchParse {
  const value = sent ?? [];
  if (!Array.isArray(value)) {
    return refused('error decoding patch: a JSON patch is a list of operations');
  }
  if (value.length > MAX_JSON_PATCH_OPERATIONS) {
    return {
      ok: false,
      error: tooLarge(
        `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${value.length}`,
      ),
    };
  }
  const operations: JsonPatchOperation[] = [];
  const strictProblems = duplicates.map((path) => `json patch duplicate field "${path}"`);
  for (const [i, item] of value.entries()) {
    if (item !== null && !isObject(item)) {
      return refused(`error decoding patch: operation [${i}] ${shown(item)} is not an object`);
    }
    const operation = readOperation(item, forgiving);
    if (typeof operation === 'string')
      return unfit(`operation [${i}] ${shown(item)}: ${operation}`);
    operations.push(operation);
    strictProblems.push(
      ...unknownMembers(item ?? {}).map((key) => `json patch unknown field "[${i}].${key}"`),
    );
  }
  return { ok: true, operations: withNumbersAsWritten(text, operations), strictProblems };
}

function refused(message: string): JsonPatchParse {
  return { ok: false, error: badRequest(message) };
}

/** The patch can be read, but an operation of it cannot be carried out. */
function unfit(message: string): JsonPatchParse {
  const text = `the server rejected our request due to an error in our request: ${message}`;
  return { ok: false, error: apiError(422, 'Invalid', text, {}) };
}

const MAX_SHOWN = 200;

/** An operation as it was sent, so that its author recognises it; not more than its beginning. */
function shown(item: JsonValue): string {
  const text = stringifyJson(item);
  const characters = Array.from(text.slice(0, 2 * MAX_SHOWN));
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}...` : text;
}

const MEMBERS = ['op', 'path', 'from', 'value'];

function unknownMembers(item: JsonObject): string[] {
  return Object.keys(item).filter((key) => !MEMBERS.includes(key));
}

/** The operation, or what is wrong with it. */
function readOperation(item: JsonValue, forgiving: boolean): JsonPatchOperation | string {
  if (!isObject(item)) return 'an operation is an object';
  const { op, path, from } = {
    op: text(item, 'op'),
    path: text(item, 'path'),
    from: text(item, 'from'),
  };
  const missing = (name: string): string => `"${name}" must be a string`;
  switch (op) {
    case 'add':
    case 'replace': {
      let value = getOwn(item, 'value');
      if (forgiving) value ??= null;
      if (value === undefined) return '"value" is missing';
      return path === undefined ? missing('path') : { op, path, value };
    }
    case 'test':
      return path === undefined ? missing('path') : { op, path, value: getOwn(item, 'value') };
    case 'remove':
      return path === undefined ? missing('path') : { op, path };
    case 'move':
    case 'copy':
      if (from === undefined) return missing('from');
      return path === undefined ? missing('path') : { op, from, path };
    default:
      return '"op" must be one of add, remove, replace, move, copy, test';
  }
}

function text(item: JsonObject, key: string): string | undefined {
  const value = hasOwn(item, key) ? item[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Cheap sign that some number may be written otherwise than the server writes it (3.0, 1e3, -0). */
const ODD_NUMBER = /\d[.eE]|-0/;

/**
 * kube-apiserver compares the numbers of a `test` as they are written: 3.0 is
 * not 3. A value with such a number gets NaN in its place, which equals nothing.
 */
function withNumbersAsWritten(
  text: string,
  operations: readonly JsonPatchOperation[],
): readonly JsonPatchOperation[] {
  if (!ODD_NUMBER.test(text) || !operations.some(({ op }) => op === 'test')) return operations;
  const reader = new JsonReader(text, numberAsWritten);
  reader.read(Infinity);
  const values = reader.value as { value?: JsonValue }[];
  return operations.map((operation, i) =>
    operation.op === 'test' ? { ...operation, value: values[i]?.value } : operation,
  );
}

function numberAsWritten(literal: string): number | bigint {
  const number = numberFromLiteral(literal);
  return String(number) === literal ? number : Number.NaN;
}
