import { deepEqual } from '../api/json.ts';
import { type ApiObject } from '../api/object.ts';

/** Gives a new object its first generation. */
export function startGeneration(object: ApiObject): void {
  object.metadata.generation = 1;
}

/** Counts the generation on when one of these fields of the object has changed. */
export function countGeneration(object: ApiObject, old: ApiObject, ...fields: string[]): void {
  const now = object;
  const before = old;
  const isSame = fields.every((field) => deepEqual(now[field], before[field]));
  const generation = old.metadata.generation ?? 0;
  if (!isSame) object.metadata.generation = generation + 1;
  else if (generation > 0) object.metadata.generation = generation;
}
