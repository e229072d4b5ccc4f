import { RESERVED_WORDS } from '../../cel/syntax/token.ts';

/**
 * How the names of properties are written in expressions.
 * Source: specification 3, section 2.1, rule semantics 4; k8s.io/apiserver
 * pkg/cel/escaping.go, which has a few more reserved words.
 */

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
  if (RESERVED_WORDS.has(name)) return `__${name}__`;
  return name.replace(SPECIAL, (special) => ESCAPES[special] ?? special);
}

/**
 * The names under which expressions find a property. After a dot a reserved
 * word may stand as it is, too: `self.namespace` is `self.__namespace__`.
 * Source: k8s.io/apiserver pkg/cel, recognizeKeywordAsFieldName.
 */
export function fieldNames(name: string): readonly string[] {
  const escaped = escapeName(name);
  if (escaped === undefined) return [];
  return RESERVED_WORDS.has(name) ? [escaped, name] : [escaped];
}
