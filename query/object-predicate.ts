import type { JsonObject, JsonValue } from '../api/json.ts';
import type { ObjectBytes } from './object-on-demand.ts';
import type { ValuePath } from './value-path.ts';

/** What a predicate asks of one value of an object, for indexes. */
export interface ValueCondition {
  /** The path of the value, or the name of a field that the kind declares. */
  readonly field: string;
  readonly isDeclared: boolean;
  /** The value is one of these; undefined: there is one. */
  readonly values: readonly string[] | undefined;
  /** The value of an object; undefined: it has none. Throws where there are several. */
  readonly read: (object: JsonObject) => string | undefined;
}

/** A predicate that depends on nothing but one value, of which lists and objects count as absent. */
interface SingleValue {
  readonly path: ValuePath;
  /** The value as it is compared; undefined: it is absent. */
  textOf(value: JsonValue | undefined): string | undefined;
  test(text: string | undefined): boolean;
}

/**
 * A condition on an object as the version that was asked for shows it. Pure: it
 * does not change the object, and the same object always has the same answer.
 *
 * Lists, watches, deletions of collections and counts ask it after the range,
 * the labels and the declared fields, because only it needs the object parsed.
 */
export interface ObjectPredicate {
  /** The predicate holds for those objects that meet this one. Absent: indexes cannot tell. */
  readonly condition?: ValueCondition;
  /** Set where it can be answered by a single value. */
  readonly single?: SingleValue;
  /** False: objects with these finished bytes do not match, which spares parsing them. Absent: it cannot tell. */
  readonly mayMatch?: (bytes: Buffer) => boolean;
  /** The answer for what `key` stands for, where one was given before; absent: none is kept. */
  readonly known?: (key: object) => boolean | undefined;
  /**
   * `key`: by what the answer is kept.
   *
   * @throws ApiError when the question costs more than a request may
   */
  matches(object: JsonObject, key?: object): boolean;
  /** The same of an object in bytes, which is then parsed only where that is needed. Absent: it always is. */
  matchesBytes?(object: ObjectBytes, key: object): boolean;
}
