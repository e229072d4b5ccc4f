import { deepClone, getOwn, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { atOnce, type Steps } from '../api/steps.ts';
import { readExtension, type Extension } from './extension-keys.ts';
import { EMPTY_KEYWORDS } from './structure/keywords.ts';
import { readRules } from './structure/rule.ts';
import {
  type Keywords,
  type ListType,
  type MapType,
  type SchemaInit,
  type SchemaType,
  StructuralSchema,
} from './structure/structural.ts';

/**
 * Builds the node for a schema in JSON (JSONSchemaProps), with everything below
 * it. The JSON has been accepted before (`check/`); what does not fit is left
 * out here, so that damaged or half-built schemas never throw. Nothing of the
 * JSON is kept by reference.
 */
export function schemaFromJson(json: JsonObject): StructuralSchema {
  return atOnce(schemaSteps(json));
}

/** {@link schemaFromJson} with a step for each schema inside. */
export function* schemaSteps(json: JsonObject): Steps<StructuralSchema> {
  yield;
  const others = json['additionalProperties'];
  const init: SchemaInit = {
    type: typeOf(json['type']),
    properties: yield* schemaMap(json['properties']),
    items: yield* schemaOrNone(json['items']),
    additionalProperties: typeof others === 'boolean' ? others : yield* schemaOrNone(others),
    nullable: json['nullable'] === true,
    // null is how Go's decoder sees an absent pointer, so a default of null is none
    default: isPresent(json['default']) ? deepClone(json['default']) : undefined,
    preserveUnknown: flag(json, 'preserve-unknown-fields'),
    embedded: flag(json, 'embedded-resource'),
    intOrString: flag(json, 'int-or-string'),
    listType: oneOf<ListType>(readExtension(json, 'list-type'), LIST_TYPES),
    mapType: oneOf<MapType>(readExtension(json, 'map-type'), MAP_TYPES),
    rules: readRules(readExtension(json, 'validations')),
    keywords: yield* readKeywords(json),
  };
  const keys = strings(readExtension(json, 'list-map-keys'));
  if (keys.length > 0) init.listMapKeys = keys;
  return new StructuralSchema(init);
}

const TYPES: ReadonlySet<string> = new Set<SchemaType>([
  'array',
  'boolean',
  'integer',
  'number',
  'object',
  'string',
]);
const LIST_TYPES: readonly ListType[] = ['atomic', 'set', 'map'];
const MAP_TYPES: readonly MapType[] = ['atomic', 'granular'];

/** Keys of a schema that become {@link Keywords}; most nodes of most schemas have none of them. */
const KEYWORD_KEYS = Object.keys(EMPTY_KEYWORDS);

function* readKeywords(json: JsonObject): Steps<Keywords | undefined> {
  if (!KEYWORD_KEYS.some((key) => isSet(json[key]))) return undefined;
  return {
    format: text(json['format']),
    maximum: numeric(json['maximum']),
    minimum: numeric(json['minimum']),
    exclusiveMaximum: json['exclusiveMaximum'] === true,
    exclusiveMinimum: json['exclusiveMinimum'] === true,
    multipleOf: numeric(json['multipleOf']),
    maxLength: count(json['maxLength']),
    minLength: count(json['minLength']),
    pattern: text(json['pattern']),
    maxItems: count(json['maxItems']),
    minItems: count(json['minItems']),
    maxProperties: count(json['maxProperties']),
    minProperties: count(json['minProperties']),
    required: strings(json['required']),
    enum: values(json['enum']),
    allOf: yield* schemaList(json['allOf']),
    anyOf: yield* schemaList(json['anyOf']),
    oneOf: yield* schemaList(json['oneOf']),
    not: yield* schemaOrNone(json['not']),
  };
}

function isPresent(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}

/** False also for what means nothing: an empty list, an empty text, `false`. */
function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

function numeric(value: JsonValue | undefined): number | bigint | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

/** A limit of a length or count: no length reaches 2^53, so a number is exact enough. */
function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

function strings(value: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return EMPTY_KEYWORDS.required;
  return value.filter((item) => typeof item === 'string');
}

function values(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return Array.isArray(value) && value.length > 0 ? deepClone(value) : undefined;
}

function oneOf<T extends string>(value: JsonValue | undefined, all: readonly T[]): T | undefined {
  return all.find((item) => item === value);
}

function typeOf(value: JsonValue | undefined): SchemaType | '' {
  return typeof value === 'string' && TYPES.has(value) ? (value as SchemaType) : '';
}

function flag(json: JsonObject, extension: Extension): boolean {
  return readExtension(json, extension) === true;
}

function* schemaOrNone(value: JsonValue | undefined): Steps<StructuralSchema | undefined> {
  return isObject(value) ? yield* schemaSteps(value) : undefined;
}

function* schemaList(value: JsonValue | undefined): Steps<readonly StructuralSchema[]> {
  if (!Array.isArray(value) || value.length === 0) return EMPTY_KEYWORDS.allOf;
  const schemas: StructuralSchema[] = [];
  for (const item of value) if (isObject(item)) schemas.push(yield* schemaSteps(item));
  return schemas;
}

function* schemaMap(
  value: JsonValue | undefined,
): Steps<ReadonlyMap<string, StructuralSchema> | undefined> {
  if (!isObject(value)) return undefined;
  const map = new Map<string, StructuralSchema>();
  for (const name of Object.keys(value)) {
    const schema = getOwn(value, name);
    if (isObject(schema)) map.set(name, yield* schemaSteps(schema));
  }
  return map.size === 0 ? undefined : map;
}
