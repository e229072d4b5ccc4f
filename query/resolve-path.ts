import { ObjectMeta } from '../schema/object-meta.ts';
import type { StructuralSchema } from '../schema/structure/structural.ts';
import type { PathStep, ValuePath } from './value-path.ts';

/** What the values at a path are by the schema, and so how they are ordered. */
export type ValueKind =
  /** The schema does not say. */
  'any' | 'boolean' | 'number' | 'quantity' | 'text' | 'time' | 'tree';

type Resolved = { readonly kind: ValueKind } | { readonly error: string };

/**
 * What the schema of a version says about the values at a path; an error when it
 * has no such path. `tree`: an object or a list.
 */
export function resolvePath(root: StructuralSchema, path: ValuePath): Resolved {
  let at: StructuralSchema | 'any' = root;
  let isRoot = true;
  for (const step of path.steps) {
    if (at === 'any') break;
    const next: StructuralSchema | 'any' | undefined =
      (isRoot || at.embedded ? typeOrMetadata(step) : undefined) ?? stepInto(at, step);
    if (next === undefined) return { error: missing(path, step, at) };
    at = next;
    isRoot = false;
  }
  return { kind: at === 'any' ? 'any' : kindOf(at) };
}

/** Every object has them, one within another, too, also where the schema of a definition does not mention them. */
function typeOrMetadata(step: PathStep): StructuralSchema | undefined {
  if (step.kind !== 'key') return undefined;
  if (step.key === 'metadata') return ObjectMeta;
  return step.key === 'apiVersion' || step.key === 'kind'
    ? ObjectMeta.properties?.get('name')
    : undefined;
}

function stepInto(schema: StructuralSchema, step: PathStep): StructuralSchema | 'any' | undefined {
  if (step.kind === 'key') {
    const child = schema.child(step.key);
    if (child !== undefined) return child;
    return isOpen(schema) || schema.additionalProperties === true ? 'any' : undefined;
  }
  if (schema.items === undefined) return isOpen(schema) ? 'any' : undefined;
  if (step.kind === 'item' && !hasField(schema.items, step.key)) return undefined;
  return schema.items;
}

function hasField(items: StructuralSchema, key: string): boolean {
  return items.child(key) !== undefined || isOpen(items);
}

/** Fields that the schema does not name may stand in it. */
function isOpen({ preserveUnknown, typed }: StructuralSchema): boolean {
  return preserveUnknown || typed?.kind === 'raw' || typed?.kind === 'json';
}

function kindOf(schema: StructuralSchema): ValueKind {
  const { type, intOrString, typed, keywords } = schema;
  if (typed?.kind === 'quantity') return 'quantity';
  if (typed?.kind === 'time' || typed?.kind === 'microTime') return 'time';
  if (intOrString || typed?.kind === 'intOrString') return 'quantity';
  switch (type) {
    case 'string':
      return keywords?.format === 'date-time' ? 'time' : 'text';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
    case 'object':
      return isOpen(schema) && schema.properties === undefined ? 'any' : 'tree';
    case '':
      return 'any';
  }
}

function missing({ text }: ValuePath, step: PathStep, schema: StructuralSchema): string {
  const path = JSON.stringify(text);
  if (step.kind !== 'key') {
    return schema.items === undefined
      ? `path ${path} takes an item of what is not a list`
      : `path ${path} takes an item by a field that it does not have`;
  }
  return schema.items === undefined
    ? `the schema has no field ${JSON.stringify(step.key)} of path ${path}`
    : `path ${path} goes through a list: name an item, such as [?name=x] or [0]`;
}
