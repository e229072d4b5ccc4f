import { groupedFieldTest } from './grouped.ts';
import type { ParsedSelector } from './labels.ts';
import { MAX_SELECTOR_TERMS, oversize, TOO_MANY_TERMS } from './limits.ts';

/** One condition on one field, by the field's name as clients write it. */
interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Gives a field's text; the empty text for a field that the object does not have. */
type FieldLookup = (field: string) => string;

type Test = (fields: FieldLookup) => boolean;

/**
 * A condition on an object's selectable fields: all of its requirements hold.
 * Which fields there are is the caller's business: look through
 * {@link requirements} before asking for matches.
 * Source: k8s.io/apimachinery pkg/fields.
 */
export class FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  readonly #test: Test;

  private constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
    this.#test =
      requirements.length > 2 ? groupedFieldTest(requirements) : all(requirements.map(compile));
  }

  /** The selector without conditions. */
  static readonly everything = new FieldSelector([]);

  static of(requirements: readonly FieldRequirement[]): FieldSelector {
    return requirements.length === 0 ? FieldSelector.everything : new FieldSelector(requirements);
  }

  matches(fields: FieldLookup): boolean {
    return this.#test(fields);
  }

  /** True when it matches every object. */
  isEverything(): boolean {
    return this.requirements.length === 0;
  }

  /** The value that the field must have; with contradicting requirements, the first one's. */
  requiresExactMatch(field: string): string | undefined {
    return this.requirements.find((r) => r.field === field && r.operator === '=')?.value;
  }

  /** The same conditions without the one that {@link requiresExactMatch} tells: it has been answered elsewhere. */
  withoutExact(field: string): FieldSelector {
    const answered = this.requirements.find((r) => r.field === field && r.operator === '=');
    return FieldSelector.of(this.requirements.filter((r) => r !== answered));
  }

  /** Canonical text, which parses to the same conditions. */
  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

function compile({ field, operator, value }: FieldRequirement): Test {
  return operator === '='
    ? (fields) => fields(field) === value
    : (fields) => fields(field) !== value;
}

/** Of two tests at most. */
function all(tests: readonly Test[]): Test {
  const [first, second] = tests;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  return (fields) => first(fields) && second(fields);
}

/** A value as it has to stand in a field selector: `,`, `=` and `\` take a backslash. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/**
 * Reads a field selector as queries carry it: `metadata.name=a,spec.engine!=pg`.
 * Blanks belong to names and values. Errors are worded as kube words them.
 */
export function parseFieldSelector(text: string): ParsedSelector<FieldSelector> {
  const tooLong = oversize(text);
  if (tooLong !== undefined) return { error: tooLong };
  const requirements: FieldRequirement[] = [];
  const terms = fieldTerms(text);
  if (terms.length > MAX_SELECTOR_TERMS) return { error: TOO_MANY_TERMS };
  for (const term of terms.sort()) {
    if (term === '') continue;
    const parts = splitTerm(term);
    if (parts === undefined) {
      return { error: `invalid selector: '${text}'; can't understand '${term}'` };
    }
    const value = unescape(parts.value);
    if ('error' in value) return { error: `invalid field selector: ${value.error}` };
    // `=` alone names nothing and asks nothing
    if (parts.field === '' && value.text === '') continue;
    requirements.push({ field: parts.field, operator: parts.operator, value: value.text });
  }
  return { selector: FieldSelector.of(requirements) };
}

/** The terms of a field selector: it is cut at commas that no backslash protects. */
export function fieldTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** Cuts at the first operator; names have no escapes. */
function splitTerm(
  term: string,
): { field: string; operator: '=' | '!='; value: string } | undefined {
  const equals = term.indexOf('=');
  if (equals < 0) return undefined;
  if (term[equals - 1] === '!') {
    return { field: term.slice(0, equals - 1), operator: '!=', value: term.slice(equals + 1) };
  }
  const isDouble = term[equals + 1] === '=';
  return {
    field: term.slice(0, equals),
    operator: '=',
    value: term.slice(equals + (isDouble ? 2 : 1)),
  };
}

function unescape(text: string): { text: string } | { error: string } {
  let value = '';
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === ',' || c === '=') {
      return { error: `unescaped character in value: ${c.charCodeAt(0)}` };
    }
    if (c !== '\\') {
      value += c;
      continue;
    }
    const escaped = text.slice(i + 1, i + 2);
    if (escaped === '' || !'\\,='.includes(escaped)) {
      return { error: `invalid escape sequence: \\${escaped}` };
    }
    value += escaped;
    i++;
  }
  return { text: value };
}
