import type { JsonObject } from '../../api/json.ts';
import type { MergeSchema } from '../merge-schema.ts';
import type { FieldSet } from './field-set.ts';
import { typedProblems } from './typed-check-at-once.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';
import { problemsText } from './typed-error.ts';

/** What came of bringing an object into another version of its kind. */
export type Conversion =
  | { readonly kind: 'converted'; readonly object: JsonObject }
  /** The kind has no such version and never will: entries of it are dropped without a word. */
  | { readonly kind: 'unknown-version' }
  | { readonly kind: 'failed'; readonly message: string };

/** What managed fields need to know of the kind of an object and of the request. */
export interface ManagedKind {
  /** The version of the request: every object that is handed in has it. */
  readonly apiVersion: string;
  readonly kind: string;
  /** `status`, `scale`, … as it stands in entries; empty for the object itself. */
  readonly subresource: string;
  /** How objects merge in a version; undefined where the kind has no such version. */
  readonly schemaFor: (apiVersion: string) => MergeSchema | undefined;
  /**
   * The object in another version, neither pruned nor defaulted. May throw
   * what conversion.ts throws when it has to wait for a webhook.
   */
  readonly convert: (object: JsonObject, apiVersion: string) => Conversion;
  /** Replaces other spellings of names by the server's own; absent where a kind has one spelling. */
  readonly withOwnNames?: ((object: JsonObject) => JsonObject) | undefined;
  /** The empty object: its type, and what the kind always shows (`spec: {}`). */
  readonly empty: JsonObject;
  /** Fields that a write of this (sub)resource drops, by version; it does not own them. */
  readonly resetFields: ReadonlyMap<string, FieldSet>;
}

/** An object in one version, with the schema of that version. */
export interface TypedObject {
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly schema: MergeSchema;
}

/** Objects in the versions of a kind; each object is converted to each version once. */
export class Versions {
  readonly #kind: ManagedKind;
  readonly #converted = new Map<JsonObject, Map<string, TypedObject | undefined>>();

  constructor(kind: ManagedKind) {
    this.#kind = kind;
  }

  /** An object of the request's version. */
  typed(object: JsonObject): TypedObject {
    const { apiVersion } = this.#kind;
    const schema = this.#kind.schemaFor(apiVersion);
    if (schema === undefined) throw new ManagedFieldsError(`no schema for ${apiVersion}`);
    return { object, apiVersion, schema };
  }

  /**
   * The object in another version; undefined when the kind has no such version.
   *
   * @throws ManagedFieldsError when it cannot be converted, or does not fit the schema there
   */
  at(from: TypedObject, apiVersion: string): TypedObject | undefined {
    if (from.apiVersion === apiVersion) return from;
    const versions = this.#converted.get(from.object) ?? new Map<string, TypedObject | undefined>();
    this.#converted.set(from.object, versions);
    if (!versions.has(apiVersion)) versions.set(apiVersion, this.#convert(from.object, apiVersion));
    return versions.get(apiVersion);
  }

  #convert(object: JsonObject, apiVersion: string): TypedObject | undefined {
    const result = this.#kind.convert(object, apiVersion);
    if (result.kind === 'unknown-version') return undefined;
    if (result.kind === 'failed') {
      throw new ManagedFieldsError(
        `managed fields of version ${apiVersion} cannot be compared: ${result.message}`,
      );
    }
    const schema = this.#kind.schemaFor(apiVersion);
    if (schema === undefined) return undefined;
    const problems = typedProblems(schema, result.object, 'applied');
    if (problems !== undefined) {
      throw new ManagedFieldsError(
        `managed fields of version ${apiVersion} cannot be compared: ${problemsText(problems)}`,
      );
    }
    return { object: result.object, apiVersion, schema };
  }
}
