/**
 * Punctuation and keywords are their own token type; the rest is named in
 * capitals. In the order in which error messages list them.
 */
const TOKEN_TYPES = [
  '==',
  '!=',
  '<',
  '<=',
  '>=',
  '>',
  '&&',
  '||',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
  'in',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
  '<EOF>',
] as const;

export type TokenType = (typeof TOKEN_TYPES)[number];

export interface Token {
  type: TokenType;
  /** Offsets into the source, in code units. */
  start: number;
  end: number;
}

function describeToken(type: TokenType): string {
  return /^[A-Z]|^<EOF>$/.test(type) ? type : `'${type}'`;
}

/** What could have stood somewhere, as error messages print it. */
export function describeExpected(types: Iterable<TokenType>): string {
  const wanted = new Set(types);
  const names = TOKEN_TYPES.filter((type) => wanted.has(type)).map(describeToken);
  return names.length === 1 ? (names[0] ?? '') : `{${names.join(', ')}}`;
}

/** Everything that can begin an expression. */
export const EXPRESSION_START: readonly TokenType[] = [
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
];

/** Operators between operands, which end an operand wherever it stands. */
export const OPERATORS: readonly TokenType[] = [
  '*',
  '/',
  '%',
  '+',
  '-',
  '==',
  '!=',
  '<',
  '<=',
  '>=',
  '>',
  'in',
  '&&',
  '||',
];

/** Words that cannot name a variable or function, though a field may have them as its name. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'package',
  'namespace',
  'null',
  'return',
  'true',
  'var',
  'void',
  'while',
]);
