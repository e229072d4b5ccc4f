import type { Filter, JsonPath, Operand, Operator } from './steps.ts';
import { endOfQuoted, JsonPathError, unquoted } from './quoted.ts';

/** Longer ones first: `<=` begins with `<`. */
const OPERATORS: readonly Operator[] = ['==', '!=', '<=', '>=', '<', '>'];
const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i;

/** Reads the paths that a filter has in it. */
type PathReader = (text: string) => JsonPath;

/**
 * What stands in `[?( … )]`: a path that has to lead somewhere, or a comparison.
 *
 * @throws JsonPathError
 */
export function parseFilter(text: string, pathOf: PathReader): Filter {
  const found = findOperator(text);
  if (found === undefined) return { test: 'exists', path: pathOf(text) };
  const { at, operator } = found;
  return {
    test: 'compare',
    left: operand(text.slice(0, at).trim(), pathOf),
    operator,
    right: operand(text.slice(at + operator.length).trim(), pathOf),
  };
}

/** The first operator outside of quotes and brackets. */
function findOperator(text: string): { at: number; operator: Operator } | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === "'" || c === '"') {
      const end = endOfQuoted(text, at);
      if (end < 0) throw new JsonPathError('unterminated string in a filter');
      at = end;
    } else if (c === '[') depth++;
    else if (c === ']') depth--;
    else if (depth === 0) {
      const operator = OPERATORS.find((candidate) => text.startsWith(candidate, at));
      if (operator !== undefined) return { at, operator };
    }
  }
  return undefined;
}

function operand(text: string, pathOf: PathReader): Operand {
  const quoted = unquoted(text);
  if (quoted !== undefined) return { operand: 'constant', value: quoted };
  if (NUMBER.test(text)) return { operand: 'constant', value: Number(text) };
  if (text === 'true' || text === 'false') return { operand: 'constant', value: text === 'true' };
  if (text[0] !== '@' && text[0] !== '$') {
    throw new JsonPathError(`cannot compare with ${JSON.stringify(text.slice(0, 256))}`);
  }
  const from = text[0] === '$' ? 'root' : 'item';
  return { operand: 'path', from, path: pathOf(text) };
}
