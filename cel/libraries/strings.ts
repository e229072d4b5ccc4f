import {
  declareFunction,
  globalOverload,
  memberOverload,
  type FunctionDeclaration,
} from '../types/declaration.ts';
import { INT, listType, STRING } from '../value/type.ts';
import { MAX_VALUE_LENGTH, VALUE_TOO_LONG } from '../plan/arithmetic.ts';
import { CodePoints } from '../value/code-points.ts';
import type { CelInt } from '../value/int.ts';
import { ArrayList, listElements } from '../value/list.ts';
import { sizeOf, walkCost } from '../value/size.ts';
import { describe } from '../value/describe.ts';
import { CelError, type CelList, type CelValue } from '../value/value.ts';
import { walkEstimate } from '../cost/estimators.ts';
import {
  joinEstimate,
  replaceEstimate,
  searchEstimate,
  splitEstimate,
} from './string-estimates.ts';
import { quoteString } from './quote.ts';

const STRINGS = listType(STRING);

function outOfRange(index: CelInt): CelError {
  return new CelError(`index out of range: ${index}`);
}

function charAt(text: string, index: CelInt): CelValue {
  const points = new CodePoints(text);
  const at = Number(index);
  if (at < 0 || at > points.length) return outOfRange(index);
  return points.slice(at, at + 1);
}

function indexOf(text: string, part: string, from: CelInt = 0): CelValue {
  if (from < 0) return outOfRange(from);
  const points = new CodePoints(text);
  const start = Number(from);
  if (part === '') return Math.min(start, points.length);
  return start >= points.length ? -1 : points.indexOf(part, start);
}

function lastIndexOf(text: string, part: string, from?: CelInt): CelValue {
  if (from !== undefined && from < 0) return outOfRange(from);
  const points = new CodePoints(text);
  const start = from === undefined ? points.length : Number(from);
  if (part === '') return Math.min(start, points.length);
  if (from !== undefined && start >= points.length) return -1;
  return points.lastIndexOf(part, start);
}

/** Changes the case of ASCII letters only, so that the result has the same length everywhere. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
const upperAscii = (text: string): string => text.replace(/[a-z]+/g, (run) => run.toUpperCase());

/** Replaces the first `limit` occurrences, all when it is negative. An empty part is everywhere. */
function replace(text: string, part: string, by: string, limit: CelInt = -1): CelValue {
  const times = limit < 0 ? Infinity : Number(limit);
  const pieces = part === '' ? ['', ...Array.from(text), ''] : text.split(part);
  const count = Math.min(times, pieces.length - 1);
  if (text.length + count * by.length > MAX_VALUE_LENGTH) return VALUE_TOO_LONG;
  const head = pieces.slice(0, count + 1).join(by);
  const tail = pieces.slice(count + 1);
  return tail.length === 0 ? head : head + part + tail.join(part);
}

function split(text: string, separator: string, limit: CelInt = -1): CelValue {
  if (limit === 0) return new ArrayList([]);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  const count = Number(limit);
  if (count < 0 || parts.length <= count) return new ArrayList(parts);
  const rest = parts.slice(count - 1).join(separator);
  return new ArrayList([...parts.slice(0, count - 1), rest]);
}

function substring(text: string, start: CelInt, end?: CelInt): CelValue {
  const points = new CodePoints(text);
  const to = end ?? points.length;
  if (end !== undefined && start > to) {
    return new CelError(`invalid substring range. start: ${start}, end: ${to}`);
  }
  if (start < 0 || start > points.length) return outOfRange(start);
  if (to < 0 || to > points.length) return outOfRange(to);
  return points.slice(Number(start), Number(to));
}

/** White space as Unicode has it, which is not quite what JavaScript trims. */
const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);
const IS_SPACE = new RegExp(SPACE);

function trim(text: string): string {
  const start = LEADING.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > start && IS_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function join(list: CelList, separator = ''): CelValue {
  const parts: string[] = [];
  let length = 0;
  for (const part of listElements(list)) {
    if (typeof part !== 'string') return new CelError(`join: invalid input: ${describe(part)}`);
    length += part.length + separator.length;
    if (length > MAX_VALUE_LENGTH) return VALUE_TOO_LONG;
    parts.push(part);
  }
  return parts.join(separator);
}

const walk = { cost: (text: string): number => walkCost(sizeOf(text)) };
const transform = { ...walk, estimate: walkEstimate(1, true) };
const search = {
  // In bytes and rounded down, as in kube-apiserver.
  cost: (text: string): number => Math.trunc(Buffer.byteLength(text) * 0.1),
  estimate: searchEstimate,
};
const divide = {
  cost: (text: string): number => walkCost(sizeOf(text), 2),
  estimate: splitEstimate,
};
const substitute = { ...divide, estimate: replaceEstimate };

/** Longer lists cost more than any budget has. */
const MAX_JOINED = 10_000_000;

/** Characters of the joined text, which the cost of joining counts. */
function joinedSize(list: CelList, separator: string): number {
  if (list.length > MAX_JOINED) return Infinity;
  let size = Math.max(0, list.length - 1) * sizeOf(separator);
  for (const part of listElements(list)) size += sizeOf(part);
  return size;
}
const joining = {
  cost: (list: CelList, separator: CelValue = ''): number =>
    walkCost(joinedSize(list, typeof separator === 'string' ? separator : ''), 2),
  estimate: joinEstimate,
};

/** String functions beyond the language definition, version 2 of the extension. */
export const STRING_EXTENSIONS: readonly FunctionDeclaration[] = [
  declareFunction('charAt', memberOverload('string_char_at_int', [STRING, INT], STRING, charAt)),
  declareFunction(
    'indexOf',
    memberOverload(
      'string_index_of_string',
      [STRING, STRING],
      INT,
      (s, t) => indexOf(s, t),
      search,
    ),
    memberOverload('string_index_of_string_int', [STRING, STRING, INT], INT, indexOf, search),
  ),
  declareFunction(
    'lastIndexOf',
    memberOverload(
      'string_last_index_of_string',
      [STRING, STRING],
      INT,
      (s, t) => lastIndexOf(s, t),
      search,
    ),
    memberOverload(
      'string_last_index_of_string_int',
      [STRING, STRING, INT],
      INT,
      lastIndexOf,
      search,
    ),
  ),
  declareFunction(
    'lowerAscii',
    memberOverload('string_lower_ascii', [STRING], STRING, lowerAscii, transform),
  ),
  declareFunction(
    'upperAscii',
    memberOverload('string_upper_ascii', [STRING], STRING, upperAscii, transform),
  ),
  declareFunction(
    'replace',
    memberOverload(
      'string_replace_string_string',
      [STRING, STRING, STRING],
      STRING,
      (s, t, u) => replace(s, t, u),
      substitute,
    ),
    memberOverload(
      'string_replace_string_string_int',
      [STRING, STRING, STRING, INT],
      STRING,
      replace,
      substitute,
    ),
  ),
  declareFunction(
    'split',
    memberOverload('string_split_string', [STRING, STRING], STRINGS, (s, t) => split(s, t), divide),
    memberOverload('string_split_string_int', [STRING, STRING, INT], STRINGS, split, divide),
  ),
  declareFunction(
    'substring',
    memberOverload(
      'string_substring_int',
      [STRING, INT],
      STRING,
      (s, start) => substring(s, start),
      transform,
    ),
    memberOverload('string_substring_int_int', [STRING, INT, INT], STRING, substring, transform),
  ),
  declareFunction('trim', memberOverload('string_trim', [STRING], STRING, trim, transform)),
  declareFunction(
    'join',
    memberOverload('list_join', [STRINGS], STRING, (list) => join(list), joining),
    memberOverload('list_join_string', [STRINGS, STRING], STRING, join, joining),
  ),
  declareFunction(
    'strings.quote',
    globalOverload('strings_quote', [STRING], STRING, quoteString, walk),
  ),
];

/** Added to the extension later; kept apart because rules do not have it. */
export const STRING_REVERSE: FunctionDeclaration = declareFunction(
  'reverse',
  memberOverload(
    'string_reverse',
    [STRING],
    STRING,
    (text) => Array.from(text).reverse().join(''),
    transform,
  ),
);
