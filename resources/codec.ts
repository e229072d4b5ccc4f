import type { FieldError } from '../api/field-error.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { Steps } from '../api/steps.ts';

/** A client's JSON in the form that the server works with. */
export interface DecodedObject {
  /** Normalised, pruned, with well-formed metadata; shares nothing that others may change. */
  readonly object: ApiObject;
  /** Paths of fields that the kind does not have, for fieldValidation. */
  readonly unknownFields: readonly string[];
  /** Paths of unknown fields that are told of and never refused. */
  readonly toleratedFields?: readonly string[];
}

/** What a codec needs to know of the request it decodes for. */
export interface DecodeContext {
  /** Collect unknown fields; costs a little. */
  readonly reportUnknown: boolean;
  /** Drops fields of metadata of wrong types instead of refusing them; custom resources only. */
  readonly dropInvalidMetadata?: boolean;
  /** Numbers of a built-in kind that are written as no integer is (`10.0`), by their paths. */
  readonly floats?: ReadonlyMap<string, string> | undefined;
}

/** How a validation is asked for. */
export interface ValidateScope {
  /** Through which subresource the object is written; empty for the object itself. */
  readonly subresource: string;
  /** Texts for Warning headers: what is wrong and let pass. */
  readonly warn: (text: string) => void;
}

/**
 * How objects of one version of a kind are read, completed and checked. Two
 * implementations: Go-like decoding for built-in kinds, structural schemas for
 * custom resources.
 */
export interface Codec {
  /**
   * Reads a client's object: types, pruning, normal forms.
   *
   * @throws ApiError 400 when it cannot be decoded
   */
  decode(json: JsonObject, context: DecodeContext): DecodedObject;
  /** {@link decode} in steps, for a large object; undefined: it takes little. */
  decodeSteps?(json: JsonObject, context: DecodeContext): Steps<DecodedObject>;
  /**
   * Fills in defaults; in place. Nulls that the schema does not allow go, unless
   * `keepNulls`: what apply has merged is validated with them.
   *
   * @throws ApiError 422, caused by DefaultsTooLarge, when they would add too much; the object then has none
   */
  applyDefaults(object: ApiObject, keepNulls?: boolean): void;
  /** {@link applyDefaults} in steps, for a large object; undefined: it takes little. */
  defaultSteps?(object: ApiObject): Steps<void> | undefined;
  /**
   * Structural validation; with `old` what was already wrong and has not changed
   * is let pass (ratcheting).
   */
  validate(object: ApiObject, old: ApiObject | undefined, scope?: ValidateScope): FieldError[];
  /** {@link validate} for an object or a schema that it may take long for; undefined: it takes little. */
  validateSteps?(
    object: ApiObject,
    old: ApiObject | undefined,
    scope: ValidateScope | undefined,
    isLarge: boolean,
  ): Steps<FieldError[]> | undefined;
  /**
   * Makes what the codec works with: for reads the schema, for writes also its
   * rules and patterns; undefined: it is there. Without these steps it is made,
   * at once, when it is first needed.
   */
  prepareSteps?(use: 'read' | 'write'): Steps<unknown> | undefined;
  /** Would `refresh` change this stored object? Cheap, and false for nearly all. */
  needsRefresh(object: ApiObject): boolean;
  /**
   * Prunes and defaults a stored object by today's schema; in place.
   *
   * @throws DefaultsTooLarge when defaults would add too much; the object is then only pruned
   */
  refresh(object: ApiObject): void;
  /** Prunes an object, one that a conversion has brought into this version for instance, without defaults; in place. */
  trimConverted?(object: ApiObject): void;
  /** The object with other spellings of names replaced by the server's own; for apply, which compares by name. */
  withOwnNames?(json: JsonObject): JsonObject;
  /**
   * The object by the names with which kubectl applied it, as its annotation tells:
   * kubectl compares them with what it reads. The object itself where nothing differs.
   */
  withAppliedNames?(object: ApiObject): ApiObject;
}
