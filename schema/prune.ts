import { isObject, type JsonValue } from '../api/json.ts';
import type { StructuralSchema } from './structure/structural.ts';
import type { UnknownFields } from './unknown-fields.ts';

interface PruneOptions {
  /** The value is an object of the API itself: apiVersion, kind and metadata stay. */
  isRoot?: boolean;
  /** Collects what is dropped. */
  unknown?: UnknownFields | undefined;
}

/**
 * Drops the fields that the schema does not have, in place. Fields below
 * preserve-unknown stay until the next `properties` or `additionalProperties`;
 * an embedded resource keeps apiVersion, kind and metadata.
 *
 * Source: behaviours 7.3, apiextensions-apiserver pkg/apiserver/schema/pruning.
 */
export function prune(
  value: JsonValue,
  schema: StructuralSchema,
  { isRoot = false, unknown }: PruneOptions = {},
): void {
  pruneNode(value, schema, isRoot || schema.embedded, unknown);
}

/** Type and metadata of an object; decoded elsewhere. */
export function isMetaField(key: string): boolean {
  return key === 'metadata' || key === 'kind' || key === 'apiVersion';
}

type Schema = StructuralSchema | undefined;
type Unknown = UnknownFields | undefined;

function pruneNode(value: JsonValue, schema: Schema, keepsMeta: boolean, unknown: Unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (schema?.preserveUnknown === true) {
    preserve(value, schema, keepsMeta, unknown);
  } else if (Array.isArray(value)) {
    const items = schema?.items;
    for (let i = 0; i < value.length; i++) {
      unknown?.push(i);
      pruneNode(value[i] as JsonValue, items, items?.embedded ?? false, unknown);
      unknown?.pop();
    }
  } else {
    for (const key in value) {
      if (keepsMeta && isMetaField(key)) continue;
      const property = schema?.properties?.get(key);
      const others = schema?.additionalProperties;
      if (property === undefined && others === undefined) {
        unknown?.report(key);
        // oxlint-disable-next-line typescript/no-dynamic-delete -- rare, and in place by contract
        delete value[key];
        continue;
      }
      const child = property ?? (typeof others === 'object' ? others : undefined);
      unknown?.push(key);
      pruneNode(value[key] as JsonValue, child, child?.embedded ?? false, unknown);
      unknown?.pop();
    }
  }
}

/** Below preserve-unknown: only what has a schema of its own is looked at. */
function preserve(
  value: JsonValue,
  schema: StructuralSchema,
  keepsMeta: boolean,
  unknown: Unknown,
): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (let i = 0; i < value.length; i++) {
      unknown?.push(i);
      preserve(value[i] as JsonValue, items, items.embedded, unknown);
      unknown?.pop();
    }
  } else if (isObject(value)) {
    const others = schema.additionalProperties;
    for (const key in value) {
      if (keepsMeta && isMetaField(key)) continue;
      const property = schema.properties?.get(key);
      if (property === undefined && others === undefined) continue;
      const child = property ?? (typeof others === 'object' ? others : undefined);
      unknown?.push(key);
      pruneNode(value[key] as JsonValue, child, child?.embedded ?? false, unknown);
      unknown?.pop();
    }
  }
}
