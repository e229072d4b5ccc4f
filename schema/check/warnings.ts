import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
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
 * each once. Source: behaviours 7.6.
 */
export function schemaWarnings(json: JsonObject): string[] {
  const formats = new Set<string>();
  collect(json, formats);
  return [...formats].map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function collect(node: JsonObject, formats: Set<string>): void {
  const format = textOf(node, 'format');
  if (format !== '' && !isKnownFormat(format, textOf(node, 'type') as SchemaType | '')) {
    formats.add(format);
  }
  const visit = (value: JsonValue | undefined): void => {
    if (isObject(value)) collect(value, formats);
    else if (Array.isArray(value)) value.forEach(visit);
  };
  for (const keyword of SCHEMAS) visit(getOwn(node, keyword));
  for (const keyword of MAPS) {
    const named = getOwn(node, keyword);
    if (isObject(named)) Object.values(named).forEach(visit);
  }
}
