import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
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

type Visit = (node: JsonObject) => void;

/** Calls back with every schema inside a schema, itself first. The depth is bounded by the parser's limit. */
function* visitSchemas(schema: JsonObject, visit: Visit): Steps<void> {
  yield;
  visit(schema);
  for (const keyword of SCHEMAS) yield* visitValue(getOwn(schema, keyword), visit);
  for (const keyword of NAMED_SCHEMAS) {
    const named = getOwn(schema, keyword);
    if (isObject(named)) yield* visitValue(Object.values(named), visit);
  }
}

function* visitValue(value: JsonValue | undefined, visit: Visit): Steps<void> {
  if (isObject(value)) yield* visitSchemas(value, visit);
  else if (Array.isArray(value)) for (const item of value) yield* visitValue(item, visit);
}

/** Does a schema of any version have a default? */
export function* hasDefaults(spec: CrdSpec): Steps<boolean> {
  let found = false;
  yield* forEachSchema(spec, (node) => (found ||= (getOwn(node, 'default') ?? null) !== null));
  return found;
}

/** Types of items of sets that cannot be told apart by apply and rules, each once and in order. */
export function* compositeSetItems(spec: CrdSpec): Steps<string[]> {
  const types = new Set<string>();
  yield* forEachSchema(spec, (node) => {
    if (readExtension(node, 'list-type') !== 'set') return;
    const items = getOwn(node, 'items');
    const type = isObject(items) ? getOwn(items, 'type') : undefined;
    if (type === 'object' || type === 'array') types.add(type);
  });
  return [...types].sort();
}

function* forEachSchema({ versions }: CrdSpec, visit: Visit): Steps<void> {
  for (const version of versions ?? []) {
    const schema = schemaOf(version);
    if (schema !== undefined) yield* visitSchemas(schema, visit);
  }
}
