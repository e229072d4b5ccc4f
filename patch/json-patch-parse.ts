import { parse as parseLossless } from 'lossless-json';
import { badRequest, tooLarge, type ApiError } from '../api/api-error.ts';
import { JsonSyntaxError } from '../api/json-error.ts';
import { numberFromLiteral } from '../api/json-number.ts';
import { parseJson } from '../api/json-parse.ts';
import { getOwn, hasOwn, isObject, type JsonObject, type JsonValue } from '../api/json.ts';

/** Each operation may copy or move much; a request with more of them is refused (kube-apiserver's limit). */
export const MAX_JSON_PATCH_OPERATIONS = 10_000;

/** One operation of RFC 6902 with the members that it needs; unknown members are dropped. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  /** Without a value it passes only where nothing or null stands. */
  | { readonly op: 'test'; readonly path: string; readonly value: JsonValue | undefined }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

export type JsonPatchParse =
  | {
      readonly ok: true;
      readonly operations: readonly JsonPatchOperation[];
      /** What `fieldValidation` reports: `json patch unknown field "[0].comment"`, `json patch duplicate field …`. */
      readonly strictProblems: readonly string[];
    }
  | { readonly ok: false; readonly error: ApiError };

export interface JsonPatchReading {
  /**
   * As patches of webhooks have always been read: what is added or put in place
   * without a value is null, and so is a member that is copied and not there, a
   * `replace` adds a member that is not there, and what stands before the first
   * slash of a pointer counts for nothing. But only `replace` and `test` know the
   * whole document.
   */
  readonly forgiving?: boolean;
}

/**
 * Reads the text of a JSON patch. Anything that is no patch is a 400, more
 * than {@link MAX_JSON_PATCH_OPERATIONS} operations a 413; every operation is
 * looked at before they are counted. `null` is a patch without operations.
 */
export function parseJsonPatch(
  text: string,
  { forgiving = false }: JsonPatchReading = {},
): JsonPatchParse {
  let value: JsonValue;
  let duplicates: string[];
  try {
    ({ value, duplicates } = parseJson(text));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return refused(`error decoding patch: ${error.message}`);
  }
  if (value === null) value = [];
  if (!Array.isArray(value)) {
    return refused('error decoding patch: a JSON patch is an array of operations');
  }
  const operations: JsonPatchOperation[] = [];
  const strictProblems = duplicates.map((path) => `json patch duplicate field "${path}"`);
  for (const [i, item] of value.entries()) {
    const operation = readOperation(item, forgiving);
    if (typeof operation === 'string') return refused(`invalid operation at [${i}]: ${operation}`);
    operations.push(operation);
    strictProblems.push(
      ...unknownMembers(item as JsonObject).map(
        (key) => `json patch unknown field "[${i}].${key}"`,
      ),
    );
  }
  if (operations.length > MAX_JSON_PATCH_OPERATIONS) {
    return {
      ok: false,
      error: tooLarge(
        `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${operations.length}`,
      ),
    };
  }
  return { ok: true, operations: withNumbersAsWritten(text, operations), strictProblems };
}

function refused(message: string): JsonPatchParse {
  return { ok: false, error: badRequest(message) };
}

const MEMBERS = ['op', 'path', 'from', 'value'];

function unknownMembers(item: JsonObject): string[] {
  return Object.keys(item).filter((key) => !MEMBERS.includes(key));
}

/** The operation, or what is wrong with it. */
function readOperation(item: JsonValue, forgiving: boolean): JsonPatchOperation | string {
  if (!isObject(item)) return 'unsupported operation';
  const { op, path, from } = {
    op: text(item, 'op'),
    path: text(item, 'path'),
    from: text(item, 'from'),
  };
  const missing = (name: string): string => `failed to decode '${name}': a string is needed`;
  switch (op) {
    case 'add':
    case 'replace': {
      let value = getOwn(item, 'value');
      if (forgiving) value ??= null;
      if (value === undefined) return "failed to decode 'value': missing value";
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
      return 'unsupported operation';
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
  const values = parseLossless(text, null, {
    parseNumber: numberAsWritten,
    onDuplicateKey: ({ newValue }) => newValue,
  }) as { value?: JsonValue }[];
  return operations.map((operation, i) =>
    operation.op === 'test' ? { ...operation, value: values[i]?.value } : operation,
  );
}

function numberAsWritten(literal: string): number | bigint {
  const number = numberFromLiteral(literal);
  return String(number) === literal ? number : Number.NaN;
}
