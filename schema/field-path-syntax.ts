import type { StructuralSchema } from './structure/structural.ts';

/** One step of a path through a schema. */
export interface SchemaStep {
  readonly name: string;
  /** A key of a map (shown as `[name]`) rather than a property (`.name`). */
  readonly isKey: boolean;
}

interface ParsedFieldPath {
  readonly steps: readonly SchemaStep[];
  /** The schema of the place; undefined where nothing is known of it. */
  readonly schema: StructuralSchema | undefined;
}

/**
 * Follows a path such as `.spec.ports['http'].name` through a schema, or says
 * why it leads nowhere. Lists cannot be passed: there are no indices. Used for
 * the `fieldPath` of rules and, without array notation, for selectable fields.
 *
 * Source: specification 3, section 2.1, ValidationRule; apiextensions-apiserver
 * pkg/apiserver/schema/cel, ValidFieldPath.
 */
export function parseFieldPath(
  path: string,
  schema: StructuralSchema,
  { allowArrayNotation = true }: { allowArrayNotation?: boolean } = {},
): ParsedFieldPath | string {
  const tokens = tokenize(path);
  const steps: SchemaStep[] = [];
  let at: StructuralSchema | undefined = schema;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    let name: string | undefined;
    if (token === '.') name = tokens[++i];
    else if (token === '[') {
      if (!allowArrayNotation) return 'array notation is not allowed';
      const quoted: string | undefined = tokens[++i];
      if (quoted === undefined) return 'unexpected end of JSON path';
      const inside = insideQuotes(quoted);
      if (inside === undefined) return `expected single quoted string but got ${quoted}`;
      const unknown = UNKNOWN_ESCAPE.exec(inside)?.groups?.['unknown'];
      if (unknown !== undefined) return `invalid string literal: invalid escape char ${unknown}`;
      name = withEscapesResolved(inside);
      const closing: string | undefined = tokens[++i];
      if (closing === undefined) return 'unexpected end of JSON path';
      if (closing !== ']') return `expected ] but got ${closing}`;
    } else return `expected [ or . but got: ${token ?? ''}`;
    if (name === undefined) return 'unexpected end of JSON path';
    const others: StructuralSchema | boolean | undefined = at?.additionalProperties;
    const property: StructuralSchema | undefined = at?.properties?.get(name);
    const isKey: boolean = at?.properties === undefined && others !== undefined;
    if (property === undefined && !isKey) return 'does not refer to a valid field';
    steps.push({ name, isKey });
    at = property ?? (typeof others === 'object' ? others : undefined);
  }
  return { steps, schema: at };
}

/** Delimiters (`.`, `[`, `]`), texts in single quotes, and what stands between them. */
function tokenize(path: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (at < path.length) {
    const end = endOfToken(path, at);
    tokens.push(path.slice(at, end));
    at = end;
  }
  return tokens;
}

function endOfToken(path: string, start: number): number {
  if (path[start] === "'") {
    for (let i = start + 1; i < path.length; i++) {
      if (path[i] === '\\') i++;
      else if (path[i] === "'") return i + 1;
    }
    return path.length;
  }
  for (let i = start; i < path.length; i++) {
    const c = path[i];
    if (c === '.' || c === '[' || c === ']') return i === start ? i + 1 : i;
  }
  return path.length;
}

function insideQuotes(token: string): string | undefined {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined;
  return token.slice(1, -1);
}

/** What stands for what after a backslash; nothing else may follow one. */
const ESCAPES = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ["'", "'"],
  ['\\', '\\'],
]);

const UNKNOWN_ESCAPE = /^(?:[^\\]|\\[abfnrtv'\\])*(?<unknown>\\[^abfnrtv'\\])/;

function withEscapesResolved(text: string): string {
  return text.replace(/\\(.)/gs, (_, letter: string) => ESCAPES.get(letter) ?? letter);
}
