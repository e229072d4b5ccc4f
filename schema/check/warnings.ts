import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import { isKnownFormat } from '../formats/registry.ts';
import type { SchemaType } from '../structure/structural.ts';
import { textOf } from './json-node.ts';

const MAPS = ['properties', 'patternProperties', 'definitions', 'dependencies'];
const SCHEMAS = [
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'additionalProperties',
  'additionalItems',
];

/**
 * Warnings for a schema that is accepted: formats that will not be enforced,
 * each once; with a step for each schema inside. Source: behaviours 7.6.
 */
export function* schemaWarnings(json: JsonObject): Steps<string[]> {
  const formats = new Set<string>();
  yield* collect(json, formats);
  return [...formats].map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function* collect(node: JsonObject, formats: Set<string>): Steps<void> {
  yield;
  const format = textOf(node, 'format');
  if (format !== '' && !isKnownFormat(format, textOf(node, 'type') as SchemaType | '')) {
    formats.add(format);
  }
  for (const keyword of SCHEMAS) yield* visit(getOwn(node, keyword), formats);
  for (const keyword of MAPS) {
    const named = getOwn(node, keyword);
    if (isObject(named)) yield* visit(Object.values(named), formats);
  }
}

function* visit(value: JsonValue | undefined, formats: Set<string>): Steps<void> {
  if (isObject(value)) yield* collect(value, formats);
  else if (Array.isArray(value)) for (const item of value) yield* visit(item, formats);
}
