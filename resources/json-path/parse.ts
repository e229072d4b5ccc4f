import type { JsonPath, Step } from './steps.ts';
import { parseFilter } from './parse-filter.ts';
import { endOfQuoted, JsonPathError, unquoted } from './quoted.ts';

/** Filters inside filters go so deep at most. */
const MAX_NESTING = 8;
/** A path has so many steps at most. */
const MAX_PATH_STEPS = 100;
/** What ends a name in dot notation. */
const NAME_ENDS = '.[],$@{} \n';
const SLICE = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/;

/**
 * Reads a path as columns of custom resources write them: `.spec.a`,
 * `.items[0].name`, `.a['b.c']`, `.a[*]`, `.a[1:3]`, `.a[?(@.type=="x")].b`,
 * `..name`. In time linear to its length.
 *
 * Source: k8s.io/client-go, util/jsonpath, without its control structures.
 *
 * @throws JsonPathError
 */
export function parseJsonPath(text: string): JsonPath {
  return new PathParser(text, 0).path();
}

/** Reads one path; the same text may hold others, in filters, which have parsers of their own. */
class PathParser {
  readonly #text: string;
  readonly #nesting: number;
  #at = 0;

  constructor(text: string, nesting: number) {
    if (nesting > MAX_NESTING) throw new JsonPathError('filters are nested too deeply');
    this.#text = text;
    this.#nesting = nesting;
  }

  path(): JsonPath {
    const steps: Step[] = [];
    const text = this.#text;
    if (text[0] === '$' || text[0] === '@') this.#at = 1;
    while (this.#at < text.length) {
      const c = text[this.#at];
      if (c === '.') {
        this.#at++;
        if (text[this.#at] === '.') {
          this.#at++;
          steps.push({ step: 'descend' });
        }
        this.#name(steps);
      } else if (c === '[') {
        steps.push(this.#bracket());
      } else if (this.#at === 0) {
        this.#name(steps);
      } else throw this.#error(`unexpected ${JSON.stringify(c)}`);
      if (steps.length > MAX_PATH_STEPS) throw this.#error('too many steps');
    }
    return steps;
  }

  /** A name in dot notation; a backslash takes the next character as it is. */
  #name(steps: Step[]): void {
    let name = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const c = this.#text[this.#at] as string;
      if (c === '\\') {
        this.#at++;
        name += this.#text[this.#at] ?? '';
      } else if (NAME_ENDS.includes(c)) break;
      else name += c;
    }
    // a dot may stand alone: `.`, `.[0]`, `..[0]`
    if (name !== '') steps.push(name === '*' ? { step: 'wildcard' } : { step: 'field', name });
  }

  #bracket(): Step {
    const start = this.#at + 1;
    const end = closing(this.#text, start);
    if (end < 0) throw this.#error('unterminated bracket');
    this.#at = end + 1;
    const inner = this.#text.slice(start, end).trim();
    if (inner.startsWith('?(') && inner.endsWith(')')) {
      const nesting = this.#nesting + 1;
      const pathOf = (path: string): JsonPath => new PathParser(path, nesting).path();
      const filter = parseFilter(inner.slice(2, -1).trim(), pathOf);
      return { step: 'filter', filter };
    }
    const choices = splitUnion(inner).map((choice) => this.#choice(choice.trim()));
    const [only] = choices;
    return choices.length === 1 && only !== undefined ? only : { step: 'union', choices };
  }

  #choice(text: string): Step {
    if (text === '*') return { step: 'wildcard' };
    const quoted = unquoted(text);
    if (quoted !== undefined) return { step: 'field', name: quoted };
    const match = SLICE.exec(text);
    if (match === null) throw this.#error(`invalid index ${JSON.stringify(text)}`);
    const [, from = '', to, by] = match;
    // `[]` is the first element, as kube-apiserver reads it: public definitions have it
    if (to === undefined) return { step: 'index', index: Number(from) };
    return {
      step: 'slice',
      from: from === '' ? 0 : Number(from),
      ...(to === '' ? {} : { to: Number(to) }),
      by: by === undefined || by === '' ? 1 : Number(by),
    };
  }

  #error(why: string): JsonPathError {
    return new JsonPathError(`${why} in ${JSON.stringify(this.#text.slice(0, 256))}`);
  }
}

/** Where the bracket closes that was opened before `start`; -1 when it does not. */
function closing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const c = text[at] as string;
    if (c === "'" || c === '"') {
      at = endOfQuoted(text, at);
      if (at < 0) return -1;
    } else if (c === '[') depth++;
    else if (c === ']' && depth-- === 0) return at;
  }
  return -1;
}

function splitUnion(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === "'" || c === '"') {
      const end = endOfQuoted(text, at);
      if (end < 0) break;
      at = end;
    } else if (c === ',') {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
