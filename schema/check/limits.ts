import { fieldError, type FieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';

/** Levels of schemas inside schemas. The deepest of well-known projects have about thirty. */
export const MAX_SCHEMA_DEPTH = 200;
/** Schemas inside one schema. A definition of the largest size that is stored has fewer. */
export const MAX_SCHEMA_NODES = 100_000;

/**
 * Refuses schemas that are too deep or too large before anything else walks
 * them. Counts objects and lists below the schema, which is never less than the
 * schemas in it.
 */
export function checkLimits(schema: JsonObject, path: FieldPath): FieldError | undefined {
  // each level of schemas is at most two levels of JSON (`properties` and a name)
  const size = measure(schema, 2 * MAX_SCHEMA_DEPTH, 2 * MAX_SCHEMA_NODES);
  switch (size) {
    case 'deep':
      return fieldError.invalid(
        path,
        '',
        `nested deeper than ${MAX_SCHEMA_DEPTH} levels of schemas`,
      );
    case 'large':
      return fieldError.invalid(path, '', `more than ${MAX_SCHEMA_NODES} schemas in one schema`);
    case 'fine':
      return undefined;
  }
}

/** Whether a value stays within a depth and a number of objects and lists; stops when it does not. */
function measure(value: JsonValue, maxDepth: number, maxNodes: number): 'fine' | 'deep' | 'large' {
  let nodes = 0;
  const visit = (at: JsonValue, depth: number): 'fine' | 'deep' | 'large' => {
    if (typeof at !== 'object' || at === null) return 'fine';
    if (depth > maxDepth) return 'deep';
    if (++nodes > maxNodes) return 'large';
    for (const child of Array.isArray(at) ? at : Object.values(at)) {
      const size = visit(child, depth + 1);
      if (size !== 'fine') return size;
    }
    return 'fine';
  };
  return visit(value, 0);
}
