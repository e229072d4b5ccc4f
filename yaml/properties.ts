import { CHAR, isBreak, type Source } from './source.ts';

/** What stands before a node: a name to refer to it by, and what it is to be read as. */
export interface NodeProperties {
  readonly anchor: string | undefined;
  /** `str`, `int` and so on; `other` for tags that mean nothing here. */
  readonly tag: string | undefined;
}

export const NO_PROPERTIES: NodeProperties = { anchor: undefined, tag: undefined };

const NAME = /[\w-]+/y;
const CORE = 'tag:yaml.org,2002:';
const MAX_TAG = 1024;

/** Does an anchor or a tag stand here? */
export function atProperties(source: Source): boolean {
  const code = source.code();
  return code === CHAR.AMPERSAND || code === CHAR.EXCLAMATION;
}

/** An anchor, a tag, or both in any order, on one line. */
export function readProperties(source: Source): NodeProperties {
  let anchor: string | undefined;
  let tag: string | undefined;
  for (;;) {
    if (source.code() === CHAR.AMPERSAND && anchor === undefined) {
      anchor = readName(source, 'anchor');
    } else if (source.code() === CHAR.EXCLAMATION && tag === undefined) {
      tag = readTag(source);
    } else if (atProperties(source)) {
      source.fail('did not find expected node content');
    } else {
      return { anchor, tag };
    }
    source.skipBlanks();
  }
}

/** The name behind `&` or `*`. */
export function readName(source: Source, what: 'anchor' | 'alias'): string {
  source.at++;
  NAME.lastIndex = source.at;
  const name = NAME.exec(source.text)?.[0];
  if (name === undefined) return badName(source, what);
  source.at += name.length;
  const ends = source.isSeparator() || '?:,]}%@`'.includes(source.text[source.at] ?? '');
  return ends ? name : badName(source, what);
}

function badName(source: Source, what: string): never {
  return source.fail(`did not find expected alphabetic or numeric character in an ${what}`);
}

function readTag(source: Source): string | undefined {
  const start = source.at;
  while (!source.isSeparator() && source.at - start < MAX_TAG) {
    if (isBreak(source.code())) break;
    source.at++;
  }
  if (!source.isSeparator()) source.fail('did not find expected whitespace behind a tag');
  const text = source.text.slice(start, source.at);
  if (text === '!') return undefined;
  if (text.startsWith('!<')) {
    if (!text.endsWith('>')) source.fail("did not find the expected '>' of a tag");
    return coreTag(text.slice(2, -1));
  }
  return text.startsWith('!!') ? coreTag(CORE + text.slice(2)) : 'other';
}

function coreTag(uri: string): string {
  return uri.startsWith(CORE) ? uri.slice(CORE.length) : 'other';
}
