import { apiError, type ApiError } from '../api/api-error.ts';
import { MAX_JSON_DEPTH } from '../api/json-parse.ts';
import { deepClone, hasOwn, isObject, setOwn, type JsonValue } from '../api/json.ts';
import { cloneSteps } from '../api/json-steps.ts';
import { stringifyJson } from '../api/json-write.ts';
import type { Steps } from '../api/steps.ts';
import type { JsonPatchOperation, JsonPatchReading } from './json-patch-parse.ts';
import {
  arrayIndex,
  parsePointer,
  readStep,
  resolveParent,
  type Container,
  type PointerDialect,
} from './json-pointer.ts';
import { depthWithin, equalWithin, type WorkBudget } from './json-work.ts';

/** What the `copy` operations of one patch may add to a document, as JSON text (kube-apiserver's limit). */
export const MAX_COPIED_BYTES = 3 * 1024 * 1024;
/** Array items moved and members compared by one patch: some tens of milliseconds. */
export const MAX_JSON_PATCH_WORK = 20_000_000;
/** A step ends after so many operations, ... */
export const OPERATIONS_PER_STEP = 200;
/** ... after so much of that work, ... */
const WORK_PER_STEP = 500_000;
/** ... and after so many bytes copied. */
const COPIED_PER_STEP = 64 * 1024;

export interface JsonPatchOptions extends JsonPatchReading {
  /**
   * `lenient` (default) is the API's reading, that of kube-apiserver: negative
   * indexes, leading zeros, and a `test` for null passes where nothing stands.
   */
  readonly dialect?: PointerDialect;
}

export type JsonPatchOutcome =
  | { readonly ok: true; readonly value: JsonValue }
  /** 422, as kube-apiserver answers; its message says which operation failed and why. */
  | {
      readonly ok: false;
      readonly error: ApiError;
      /** It was a `test` that failed: the patch is not meant for this document. */
      readonly testFailed: boolean;
    };

/** Where the operations of one patch work: the document is the patch's own copy. */
export interface Run {
  document: JsonValue;
  copiedBytes: number;
  readonly budget: WorkBudget;
  readonly dialect: PointerDialect;
  readonly forgiving: boolean;
}

/** Undefined when the operation applied, otherwise why it did not. */
type Failure = string | undefined;

/**
 * Applies a JSON patch (RFC 6902) in order, all or nothing. Neither the
 * document nor the operations change, and the result shares nothing with them.
 * Time and growth are bounded by {@link MAX_JSON_PATCH_WORK},
 * {@link MAX_COPIED_BYTES} and the depth of documents.
 */
export function* jsonPatchSteps(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  options: JsonPatchOptions = {},
): Steps<JsonPatchOutcome> {
  const forgiving = options.forgiving === true;
  const run: Run = {
    document: yield* cloneSteps(document),
    copiedBytes: 0,
    budget: { left: MAX_JSON_PATCH_WORK },
    dialect: options.dialect ?? 'lenient',
    forgiving,
  };
  let rest = restingPoint(run);
  let sinceRest = 0;
  for (const operation of forgiving ? operations.map(withRootedPaths) : operations) {
    const failure = applyOperation(run, operation) ?? exhausted(run);
    if (failure !== undefined) return rejected(failure, forgiving, operation.op === 'test');
    const { budget, copiedBytes } = run;
    if (
      ++sinceRest >= OPERATIONS_PER_STEP ||
      budget.left < rest.budget ||
      copiedBytes > rest.copied
    ) {
      yield;
      sinceRest = 0;
      rest = restingPoint(run);
    }
  }
  yield;
  if (!depthWithin(run.document, MAX_JSON_DEPTH)) return rejected(TOO_DEEP, forgiving);
  return { ok: true, value: run.document };
}

/** What operations may cost until the step is over. */
export function restingPoint({ budget, copiedBytes }: Run): { budget: number; copied: number } {
  return { budget: budget.left - WORK_PER_STEP, copied: copiedBytes + COPIED_PER_STEP };
}

export const TOO_DEEP = `the result is nested deeper than ${MAX_JSON_DEPTH}`;

/** 422. `forgiving` is the mode of a webhook's patch, `testFailed` tells a failed `test` apart. */
export function rejected(
  failure: string,
  forgiving: boolean,
  testFailed = false,
): JsonPatchOutcome {
  // a webhook's patch is not an error in the request of the client
  const what = forgiving
    ? 'the patch cannot be applied'
    : 'the server rejected our request due to an error in our request';
  const message = `${what}: ${failure}`;
  return { ok: false, error: apiError(422, 'Invalid', message, {}), testFailed };
}

/** A failure when the budget of work is used up; undefined before. */
export function exhausted(run: Run): Failure {
  return run.budget.left < 0 ? 'the patch moves or compares too much' : undefined;
}

/** The operation with paths from their first slash on, as kube-apiserver reads them. */
export function withRootedPaths(operation: JsonPatchOperation): JsonPatchOperation {
  const rooted = (path: string): string => path.slice(Math.max(0, path.indexOf('/')));
  const path = rooted(operation.path);
  return 'from' in operation
    ? { ...operation, path, from: rooted(operation.from) }
    : { ...operation, path };
}

/** Changes the document of the run in place; returns why it could not. Throws nothing. */
export function applyOperation(run: Run, operation: JsonPatchOperation): Failure {
  switch (operation.op) {
    case 'add':
      return insert(run, operation.path, deepClone(operation.value));
    case 'replace':
      return replace(run, operation.path, operation.value);
    case 'remove':
      return take(run, operation.path).failure;
    case 'test':
      return test(run, operation.path, operation.value);
    case 'copy':
      return copy(run, operation.from, operation.path);
    case 'move':
      return move(run, operation.from, operation.path);
  }
}

const missing = (path: string): string => `there is nothing at ${JSON.stringify(path)}`;
const noPointer = (path: string): string =>
  `${JSON.stringify(path)} is not a path: it must begin with "/" and be at most ${MAX_JSON_DEPTH} steps deep`;

function insert(run: Run, path: string, value: JsonValue): Failure {
  const steps = parsePointer(path, run.dialect);
  if (steps === undefined) return noPointer(path);
  const key = steps.at(-1);
  if (key === undefined) return run.forgiving ? missing(path) : replaceDocument(run, value);
  const parent = resolveParent(run.document, steps, run.dialect);
  if (parent === undefined) return missing(path);
  if (!Array.isArray(parent)) {
    setOwn(parent, key, value);
    return undefined;
  }
  const index = key === '-' ? parent.length : arrayIndex(key, parent.length + 1, run.dialect);
  if (index === undefined) return missing(path);
  run.budget.left -= parent.length - index;
  parent.splice(index, 0, value);
  return undefined;
}

/** The operation fails, not the document that comes out of it, where no later one could find anything. */
function replaceDocument(run: Run, value: JsonValue): Failure {
  if (!isObject(value) && !Array.isArray(value)) return 'a document is an object or a list';
  run.document = value;
  return undefined;
}

function replace(run: Run, path: string, value: JsonValue): Failure {
  const place = find(run, path);
  if (typeof place === 'string') {
    return readsAsNull(run, path) ? insert(run, path, deepClone(value)) : place;
  }
  if (place.parent === undefined) return replaceDocument(run, deepClone(value));
  if (!Array.isArray(place.parent)) setOwn(place.parent, place.key, deepClone(value));
  else {
    const index = arrayIndex(place.key, place.parent.length, run.dialect);
    if (index !== undefined) place.parent[index] = deepClone(value);
  }
  return undefined;
}

interface Place {
  readonly value: JsonValue;
  /** Undefined for the whole document. */
  readonly parent: Container | undefined;
  readonly key: string;
}

/** The existing value at a path, or what is wrong with the path. */
function find(run: Run, path: string): Place | string {
  const steps = parsePointer(path, run.dialect);
  if (steps === undefined) return noPointer(path);
  const key = steps.at(-1);
  if (key === undefined) return { value: run.document, parent: undefined, key: '' };
  const parent = resolveParent(run.document, steps, run.dialect);
  const value = parent === undefined ? undefined : readStep(parent, key, run.dialect);
  return value === undefined ? missing(path) : { value, parent, key };
}

/** Removes the value at a path and hands it out. */
function take(
  run: Run,
  path: string,
): { failure: string } | { failure: undefined; value: JsonValue } {
  const place = find(run, path);
  if (typeof place === 'string') return { failure: place };
  const { parent, key, value } = place;
  if (parent === undefined) return { failure: 'the whole document cannot be removed' };
  if (!Array.isArray(parent)) Reflect.deleteProperty(parent, key);
  else {
    const index = arrayIndex(key, parent.length, run.dialect) ?? 0;
    run.budget.left -= parent.length - index;
    parent.splice(index, 1);
  }
  return { failure: undefined, value };
}

function test(run: Run, path: string, value: JsonValue | undefined): Failure {
  const expected = run.dialect === 'lenient' ? (value ?? null) : value;
  const place = find(run, path);
  if (typeof place === 'string') {
    return expected === null && run.dialect === 'lenient' && missingMember(run, path) !== undefined
      ? undefined
      : place;
  }
  return equalWithin(run.budget, expected, place.value)
    ? undefined
    : `testing value ${path} failed`;
}

/** The place of a member that its object does not have; undefined when it has, and for indexes of arrays. */
function missingMember(run: Run, path: string): (string | number)[] | undefined {
  const steps = parsePointer(path, run.dialect) ?? [];
  const place: (string | number)[] = [];
  let at: JsonValue | undefined = run.document;
  for (const [i, step] of steps.entries()) {
    if (Array.isArray(at)) {
      place.push(0);
      at = readStep(at, step, run.dialect);
      continue;
    }
    if (!isObject(at)) return undefined;
    place.push(step);
    if (!hasOwn(at, step)) return i === steps.length - 1 ? place : undefined;
    at = at[step];
  }
  return undefined;
}

/** A member that its object does not have is read as null. */
function readsAsNull(run: Run, from: string): boolean {
  return run.forgiving && missingMember(run, from) !== undefined;
}

function copy(run: Run, from: string, path: string): Failure {
  if (run.forgiving && from === '') return missing(from);
  const place = find(run, from);
  if (typeof place === 'string') {
    return readsAsNull(run, from) ? insert(run, path, null) : place;
  }
  if (!depthWithin(place.value, MAX_JSON_DEPTH)) return TOO_DEEP;
  run.copiedBytes += Buffer.byteLength(stringifyJson(place.value));
  if (run.copiedBytes > MAX_COPIED_BYTES) {
    return `the copies of the patch exceed ${MAX_COPIED_BYTES} bytes`;
  }
  return insert(run, path, deepClone(place.value));
}

/** RFC 6902 section 4.4: a value cannot be moved into itself. */
function move(run: Run, from: string, path: string): Failure {
  if (from === '') return 'the whole document cannot be moved';
  if (path.startsWith(`${from}/`)) return `${JSON.stringify(from)} cannot be moved into itself`;
  if (path === from) {
    const place = find(run, from);
    return typeof place === 'string' && !readsAsNull(run, from) ? place : undefined;
  }
  if (readsAsNull(run, from)) return insert(run, path, null);
  const taken = take(run, from);
  return taken.failure ?? insert(run, path, taken.value);
}
