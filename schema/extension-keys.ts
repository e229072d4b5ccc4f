import type { JsonObject, JsonValue } from '../api/json.ts';
import { extensionKey as spelling } from '../api/schema-extensions.ts';

/** The schema extensions, by the part of their key that follows the prefix. */
export type Extension =
  | 'embedded-resource'
  | 'int-or-string'
  | 'list-map-keys'
  | 'list-type'
  | 'map-type'
  | 'preserve-unknown-fields'
  | 'validations';

const PREFIX = 'x-cluster-';

interface Spellings {
  readonly neutral: string;
  readonly kubernetes: string;
}
const spellings = (extension: Extension): Spellings => {
  const neutral = asKey(PREFIX + extension);
  return { neutral, kubernetes: asKey(spelling(neutral, 'kubernetes')) };
};

/** The same string, interned as V8 does for keys: a concatenated string is hashed at every lookup. */
function asKey(text: string): string {
  return Object.keys({ [text]: true })[0] ?? text;
}

const KEYS: Readonly<Record<Extension, Spellings>> = {
  'embedded-resource': spellings('embedded-resource'),
  'int-or-string': spellings('int-or-string'),
  'list-map-keys': spellings('list-map-keys'),
  'list-type': spellings('list-type'),
  'map-type': spellings('map-type'),
  'preserve-unknown-fields': spellings('preserve-unknown-fields'),
  validations: spellings('validations'),
};

/**
 * `x-cluster-list-type`: the key as the server stores, shows and reports it.
 * Source: specification 3, section 2.1.
 */
export function extensionKey(extension: Extension): string {
  return KEYS[extension].neutral;
}

/** The extension's value in a schema written in either spelling; the neutral one wins. */
export function readExtension(schema: JsonObject, extension: Extension): JsonValue | undefined {
  const { neutral, kubernetes } = KEYS[extension];
  // no object inherits such a key, and asking for own ones costs ten times as much
  return schema[neutral] ?? schema[kubernetes];
}
