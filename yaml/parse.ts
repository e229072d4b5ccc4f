import type { JsonValue } from '../api/json.ts';
import { MAX_REQUEST_FIELDS, parseJson } from '../api/json-parse.ts';
import { BlockReader } from './block-reader.ts';
import { Composer, type DuplicateKey } from './composer.ts';
import { CHAR, isBreak, Source } from './source.ts';

export interface ParsedYaml {
  readonly value: JsonValue;
  readonly duplicates: readonly DuplicateKey[];
}

/**
 * Reads the first document of a YAML text as JSON, the way Go's yaml.v2 does:
 * YAML 1.1 with its scalars, keys become text, merge keys are merged. Costs
 * time in proportion to the length of the text, whatever it holds; depth and
 * what aliases may add are bounded.
 *
 * @throws YamlSyntaxError
 */
export function parseYaml(text: string): ParsedYaml {
  return parseAsJson(text) ?? parseDocument(text);
}

/** JSON is YAML, and clients that have no YAML send it under that name. */
function parseAsJson(text: string): ParsedYaml | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const { value, duplicates } = parseJson(text, { maxFields: MAX_REQUEST_FIELDS });
    // Lines are known to the YAML reader only.
    return duplicates.length === 0 ? { value, duplicates: [] } : undefined;
  } catch {
    return undefined;
  }
}

function parseDocument(text: string): ParsedYaml {
  const source = new Source(text);
  const composer = new Composer(source);
  const isFresh = startDocument(source);
  const value = new BlockReader(source, composer).document(isFresh);
  source.skip(true);
  if (!source.atDocumentEnd) source.fail('did not find expected <document start>');
  return { value, duplicates: composer.duplicates };
}

/** Skips directives and `---`; true when the document's node begins on a line of its own. */
function startDocument(source: Source): boolean {
  source.skip(false);
  let hasDirectives = false;
  while (source.code() === CHAR.PERCENT && source.column === 0) {
    hasDirectives = true;
    skipDirective(source);
  }
  if (source.atDocumentEnd && source.code() === CHAR.DASH) {
    source.at += '---'.length;
    return false;
  }
  if (hasDirectives) source.fail('did not find expected <document start>');
  return true;
}

const DIRECTIVE = /^%(?:YAML[ \t]+1\.\d+|TAG[ \t]+!\S*[ \t]+\S+)[ \t]*(?:#.*)?$/;
const MAX_DIRECTIVE = 1024;

function skipDirective(source: Source): void {
  const start = source.at;
  while (!source.atEnd && !isBreak(source.code())) source.at++;
  const text = source.text.slice(start, source.at);
  if (text.length > MAX_DIRECTIVE || !DIRECTIVE.test(text)) {
    source.fail('found unknown or malformed directive');
  }
  source.skip(false);
}
