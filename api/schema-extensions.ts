import { hasOwn, isObject, setOwn, type JsonObject, type JsonValue } from './json.ts';

/*
 * The keys by which a schema says more than OpenAPI has words for. They are
 * spelled in two ways, as groups have two names: neutral inside the server.
 */

/** Which of the two spellings to write. */
export type Dialect = 'neutral' | 'kubernetes';

export const KUBERNETES_EXTENSION = 'x-kubernetes-';

const EXTENSION_PREFIX: Readonly<Record<Dialect, string>> = {
  neutral: 'x-cluster-',
  kubernetes: KUBERNETES_EXTENSION,
};

/** `x-kubernetes-list-type` ↔ `x-cluster-list-type`; other keys stay as they are. */
export function extensionKey(key: string, to: Dialect): string {
  const from = EXTENSION_PREFIX[to === 'neutral' ? 'kubernetes' : 'neutral'];
  return key.startsWith(from) ? EXTENSION_PREFIX[to] + key.slice(from.length) : key;
}

/** Keywords whose value maps names of the user's choice to schemas. */
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);
/** Keywords whose value is a schema, or a list of them. */
const SCHEMAS = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
]);

/**
 * The schema with the extension keys of every level in the other spelling.
 * Only keywords are renamed: never the name of a property, and nothing inside
 * `default`, `enum`, `example` or the value of an extension. Where a schema has
 * both spellings of a key, the one asked for stays. A schema that needs no
 * change is returned as it is; the depth is bounded by the parser's limit.
 */
export function mapSchemaExtensions(schema: JsonObject, to: Dialect): JsonObject {
  const mapped: JsonObject = {};
  let isChanged = false;
  for (const key of Object.keys(schema)) {
    const value = schema[key] as JsonValue;
    const name = extensionKey(key, to);
    const item = mapKeyword(key, value, to);
    isChanged ||= name !== key || item !== value;
    if (name === key || !hasOwn(schema, name)) setOwn(mapped, name, item);
  }
  return isChanged ? mapped : schema;
}

function mapKeyword(key: string, value: JsonValue, to: Dialect): JsonValue {
  if (SCHEMAS.has(key)) {
    return Array.isArray(value)
      ? sameOr(
          value,
          value.map((item) => mapSchema(item, to)),
        )
      : mapSchema(value, to);
  }
  if (!SCHEMA_MAPS.has(key) || !isObject(value)) return value;
  const mapped: JsonObject = {};
  let isChanged = false;
  for (const name of Object.keys(value)) {
    const schema = value[name] as JsonValue;
    const item = mapSchema(schema, to);
    isChanged ||= item !== schema;
    setOwn(mapped, name, item);
  }
  return isChanged ? mapped : value;
}

/** Where a schema may stand there may also be a boolean, or a list of names. */
function mapSchema(value: JsonValue, to: Dialect): JsonValue {
  return isObject(value) ? mapSchemaExtensions(value, to) : value;
}

function sameOr(before: JsonValue[], after: JsonValue[]): JsonValue[] {
  return after.some((item, i) => item !== before[i]) ? after : before;
}
