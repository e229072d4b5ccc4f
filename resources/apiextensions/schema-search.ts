import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { readExtension } from '../../schema/extension-keys.ts';
import { schemaOf, type CrdSpec } from './crd-types.ts';

const SCHEMAS = [
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'additionalProperties',
  'additionalItems',
];
const NAMED_SCHEMAS = ['properties', 'patternProperties', 'definitions', 'dependencies'];

/** Calls back with every schema inside a schema, itself first. The depth is bounded by the parser's limit. */
function visitSchemas(schema: JsonObject, visit: (node: JsonObject) => void): void {
  visit(schema);
  const each = (value: JsonValue | undefined): void => {
    if (isObject(value)) visitSchemas(value, visit);
    else if (Array.isArray(value)) value.forEach(each);
  };
  for (const keyword of SCHEMAS) each(getOwn(schema, keyword));
  for (const keyword of NAMED_SCHEMAS) {
    const named = getOwn(schema, keyword);
    if (isObject(named)) Object.values(named).forEach(each);
  }
}

export function hasDefaults(spec: CrdSpec): boolean {
  let found = false;
  forEachSchema(spec, (node) => (found ||= (getOwn(node, 'default') ?? null) !== null));
  return found;
}

/** Types of items of sets that cannot be told apart by apply and rules, each once and in order. */
export function compositeSetItems(spec: CrdSpec): string[] {
  const types = new Set<string>();
  forEachSchema(spec, (node) => {
    if (readExtension(node, 'list-type') !== 'set') return;
    const items = getOwn(node, 'items');
    const type = isObject(items) ? getOwn(items, 'type') : undefined;
    if (type === 'object' || type === 'array') types.add(type);
  });
  return [...types].sort();
}

function forEachSchema({ versions }: CrdSpec, visit: (node: JsonObject) => void): void {
  for (const version of versions ?? []) {
    const schema = schemaOf(version);
    if (schema !== undefined) visitSchemas(schema, visit);
  }
}
