import { MAX_SELECTOR_TERMS, TOO_MANY_TERMS } from '../api/selectors/limits.ts';
import { readCommaList, type ReadList } from './comma-list.ts';
import type { Scanner } from './scanner.ts';
import { readValuePath, unreadable, type ValuePath } from './value-path.ts';

type ConditionOperator = '=' | '!=' | 'in' | 'notin' | 'exists' | '!';

/** One term of a field selector. */
export interface FieldCondition {
  readonly path: ValuePath;
  readonly operator: ConditionOperator;
  /** One for `=` and `!=`, none for `exists` and `!`. */
  readonly values: readonly string[];
}

interface FieldTerm extends FieldCondition {
  /** As it was written. */
  readonly text: string;
}

const BLANKS = / */y;
const WORD = /(?:not)?in(?= *\()/y;
/** What a value may hold besides escapes. */
const VALUE = /(?:[^\\,=]|\\[\\,=])*/suy;
const LISTED = /(?:[^\\,()]|\\[\\,()=])*/suy;

/**
 * Reads the terms of a field selector whose fields are paths: `a=x`, `a==x`,
 * `a!=x`, `a in (x,y)`, `a notin (x)`, `a`, `!a`, joined by commas. A value
 * takes a backslash before `,`, `=` and `\`, in a list also before brackets.
 */
export function parseFieldConditions(text: string): ReadList<FieldTerm> {
  return readCommaList(text, {
    readItem(scanner) {
      const start = scanner.at;
      const read = readTerm(scanner);
      if (typeof read === 'string') return { error: read };
      return { item: { ...read, text: text.slice(start, scanner.at) } };
    },
    max: MAX_SELECTOR_TERMS,
    tooMany: TOO_MANY_TERMS,
  });
}

/** The term, or what is wrong with it. */
function readTerm(scanner: Scanner): FieldCondition | string {
  scanner.match(BLANKS);
  const isNegated = scanner.take('!');
  const read = readValuePath(scanner);
  if ('error' in read) return read.error;
  const { path } = read;
  // a blank behind the path belongs to a word, and never to a name as clients have it today
  const hasBlank = scanner.match(BLANKS) !== '';
  if (isNegated) return { path, operator: '!', values: [] };
  if (hasBlank) {
    const word = scanner.match(WORD);
    if (word !== undefined) return readList(scanner, path, word === 'in' ? 'in' : 'notin');
  }
  if (scanner.take('!=')) return readValue(scanner, path, '!=');
  if (scanner.take('==') || scanner.take('=')) return readValue(scanner, path, '=');
  return { path, operator: 'exists', values: [] };
}

function readValue(scanner: Scanner, path: ValuePath, operator: '=' | '!='): FieldCondition {
  return { path, operator, values: [unescaped(scanner.match(VALUE) ?? '')] };
}

function readList(
  scanner: Scanner,
  path: ValuePath,
  operator: 'in' | 'notin',
): FieldCondition | string {
  scanner.match(BLANKS);
  scanner.take('(');
  const values: string[] = [];
  do {
    values.push(unescaped((scanner.match(LISTED) ?? '').trim()));
    if (values.length > MAX_SELECTOR_TERMS) return TOO_MANY_TERMS;
  } while (scanner.take(','));
  if (!scanner.take(')')) return unreadable(scanner);
  scanner.match(BLANKS);
  return { path, operator, values };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gsu, '$1');
}

/** From this many values on, a set is faster than a look at each. */
const SET_FROM = 5;

/** Whether a value has what a condition asks; undefined for a value that is absent. */
export function conditionTest({
  operator,
  values,
}: Omit<FieldCondition, 'path'>): (text: string | undefined) => boolean {
  switch (operator) {
    case 'exists':
      return (text) => text !== undefined;
    case '!':
      return (text) => text === undefined;
    default: {
      const isOne = oneOf(values);
      const wanted = operator === '=' || operator === 'in';
      // what is absent reads as the empty text, as it always has in field selectors
      return (text) => isOne(text ?? '') === wanted;
    }
  }
}

function oneOf(values: readonly string[]): (text: string) => boolean {
  if (values.length < SET_FROM) return (text) => values.includes(text);
  const set = new Set(values);
  return (text) => set.has(text);
}
