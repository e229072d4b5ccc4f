import { getOwn, type JsonObject, type JsonValue } from '../api/json.ts';

/** The schema extensions, by the part of their key that follows the prefix. */
export const EXTENSIONS = [
  'embedded-resource',
  'int-or-string',
  'list-map-keys',
  'list-type',
  'map-type',
  'preserve-unknown-fields',
  'validations',
] as const;
export type Extension = (typeof EXTENSIONS)[number];

/** How the server stores, shows and reports an extension. Source: specification 3, section 2.1. */
export const EXTENSION_PREFIX = 'x-cluster-';
/** The spelling that is accepted besides, and that published OpenAPI uses because clients look for it. */
export const KUBERNETES_EXTENSION_PREFIX = 'x-kubernetes-';

/** `x-cluster-list-type`: the key as field paths and messages name it. */
export function extensionKey(extension: Extension): string {
  return EXTENSION_PREFIX + extension;
}

/** The extension's value in a schema written in either spelling; the neutral one wins. */
export function readExtension(schema: JsonObject, extension: Extension): JsonValue | undefined {
  return (
    getOwn(schema, EXTENSION_PREFIX + extension) ??
    getOwn(schema, KUBERNETES_EXTENSION_PREFIX + extension)
  );
}
