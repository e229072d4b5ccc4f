/**
 * How the names of properties are written in expressions.
 * Source: specification 3, section 2.1, rule semantics 4; k8s.io/apiserver
 * pkg/cel/escaping.go, which has a few more reserved words.
 */

const RESERVED: ReadonlySet<string> = new Set([
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
  'namespace',
  'null',
  'package',
  'return',
  'true',
  'var',
  'void',
  'while',
]);
const ACCESSIBLE = /^[A-Za-z_./-][A-Za-z0-9_./-]*$/;
const SPECIAL = /__|[./-]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name as an identifier; undefined for names that expressions cannot access. */
export function escapeName(name: string): string | undefined {
  if (!ACCESSIBLE.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(SPECIAL, (special) => ESCAPES[special] ?? special);
}

const ESCAPED = /__([^_]+)__/g;
const UNESCAPES: ReadonlyMap<string, string> = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
]);

/** The property that an identifier stands for; undefined when it stands for none. */
export function unescapeName(identifier: string): string | undefined {
  if (!identifier.includes('__')) return identifier;
  let name = '';
  let end = 0;
  for (const match of identifier.matchAll(ESCAPED)) {
    const [sequence, word = ''] = match;
    const special = UNESCAPES.get(word);
    // a reserved word is escaped as a whole
    const isWord = RESERVED.has(word) && sequence === identifier;
    if (special === undefined && !isWord) return undefined;
    name += identifier.slice(end, match.index) + (special ?? word);
    end = match.index + sequence.length;
  }
  return name + identifier.slice(end);
}
