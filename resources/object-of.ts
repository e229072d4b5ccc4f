import type { ApiObject } from '../api/object.ts';
import type { Typed } from '../schema/shape.ts';

/** By what the objects of a kind are decoded. */
export type ObjectSchema<T extends ApiObject> = Typed<T>;

/**
 * An object of the replica, of a request or of a loop as an object of the kind that
 * `schema` describes. Codecs decode by that schema before anything is stored, so the
 * kind's name tells the type of all fields.
 *
 * @throws Error when it is an object of another kind
 */
export function objectOf<T extends ApiObject>(schema: ObjectSchema<T>, object: ApiObject): T {
  if (!isOf(schema, object)) {
    throw new Error(`${schema.typed?.structName} expected, not ${object.kind}`);
  }
  return object;
}

function isOf<T extends ApiObject>({ typed }: ObjectSchema<T>, object: ApiObject): object is T {
  return typed?.structName?.endsWith(`.${object.kind}`) === true;
}
