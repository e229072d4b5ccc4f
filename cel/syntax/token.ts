/** Punctuation and keywords are their own token type; the rest is named in capitals. */
export type TokenType =
  | '=='
  | '!='
  | '<'
  | '<='
  | '>='
  | '>'
  | '&&'
  | '||'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%'
  | 'in'
  | 'true'
  | 'false'
  | 'null'
  | 'NUM_FLOAT'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'STRING'
  | 'BYTES'
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | '<EOF>';

export interface Token {
  type: TokenType;
  /** Offsets into the source, in code units. */
  start: number;
  end: number;
}

/** Token types as the list of what was expected prints them. */
export function describeToken(type: TokenType): string {
  return /^[A-Z]|^<EOF>$/.test(type) ? type : `'${type}'`;
}

/** Everything that can begin an expression, in the order in which error messages list it. */
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
