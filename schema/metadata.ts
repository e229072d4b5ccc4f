import { fieldError, type FieldError } from '../api/field-error.ts';
import { FieldPath } from '../api/field-path.ts';
import { getOwn, hasOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../api/json.ts';
import { ObjectMeta } from './object-meta.ts';
import { CONTAINS, type StructuralSchema } from './structure/structural.ts';
import { decodeTyped } from './typed/decode-at-once.ts';
import { UnknownFields } from './unknown-fields.ts';

interface MetadataOptions {
  /** The value is an object of the API itself, although its schema does not say so. */
  isRoot?: boolean;
  /** Drops what is malformed instead of reporting it: for what was stored long ago. */
  dropInvalid?: boolean;
  /** Collects the fields that metadata does not have. */
  unknown?: UnknownFields | undefined;
}

/**
 * Decodes the metadata of an object and of every resource embedded in it, in
 * place: unknown fields go, nulls and empty fields go, times become canonical;
 * apiVersion and kind must be strings. Returns the first thing that does not
 * decode (the request is a bad one).
 *
 * Source: apiextensions-apiserver pkg/apiserver/schema/objectmeta, Coerce.
 */
export function decodeMetadata(
  value: JsonValue,
  schema: StructuralSchema,
  options: MetadataOptions = {},
): FieldError | undefined {
  const walk = new Walk(options);
  const isRoot = options.isRoot ?? false;
  return walk.visit(value, schema, isRoot || schema.embedded, FieldPath.root);
}

class Walk {
  readonly #dropInvalid: boolean;
  /** Where the walk is matters to errors too, so there is always one. */
  readonly #unknown: UnknownFields;

  constructor(options: MetadataOptions) {
    this.#dropInvalid = options.dropInvalid ?? false;
    this.#unknown = options.unknown ?? new UnknownFields();
  }

  visit(
    value: JsonValue,
    schema: StructuralSchema,
    isResource: boolean,
    path: FieldPath,
  ): FieldError | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) return this.#items(value, schema, path);
    if (isResource) {
      const error = this.#resource(value, path);
      if (error !== undefined) return error;
    }
    if ((schema.contains & CONTAINS.embedded) === 0) return undefined;
    for (const key in value) {
      const child = schema.child(key);
      if (child === undefined || (child.contains & CONTAINS.embedded) === 0) continue;
      this.#unknown.push(key);
      const at = schema.properties?.has(key) === true ? path.child(key) : path.key(key);
      const error = this.visit(value[key] as JsonValue, child, child.embedded, at);
      this.#unknown.pop();
      if (error !== undefined) return error;
    }
    return undefined;
  }

  #items(value: JsonValue[], { items }: StructuralSchema, path: FieldPath): FieldError | undefined {
    if (items === undefined || (items.contains & CONTAINS.embedded) === 0) return undefined;
    for (let i = 0; i < value.length; i++) {
      this.#unknown.push(i);
      const error = this.visit(value[i] as JsonValue, items, items.embedded, path.index(i));
      this.#unknown.pop();
      if (error !== undefined) return error;
    }
    return undefined;
  }

  #resource(object: JsonObject, path: FieldPath): FieldError | undefined {
    for (const key of ['apiVersion', 'kind']) {
      const value = getOwn(object, key);
      if (value === undefined || typeof value === 'string') continue;
      if (!this.#dropInvalid) return fieldError.invalid(path.child(key), value, 'must be a string');
      // oxlint-disable-next-line typescript/no-dynamic-delete -- in place by contract
      delete object[key];
    }
    const metadata = getOwn(object, 'metadata');
    if (metadata === undefined) return undefined;
    const decoded = decodeTyped(metadata, ObjectMeta, { path: this.#metadataPath() });
    if (decoded.error === undefined) {
      object['metadata'] = decoded.value;
      this.#unknown.add(decoded.unknown);
    } else if (!this.#dropInvalid) {
      // the error names what is wrong in metadata: all of it would only hide that
      const shown = isObject(metadata) ? undefined : metadata;
      return fieldError.invalid(path.child('metadata'), shown, decoded.error);
    } else if (isObject(metadata)) {
      object['metadata'] = decodableFields(metadata);
    }
    return undefined;
  }

  #metadataPath(): string {
    const path = this.#unknown.path();
    return path === '' ? 'metadata' : `${path}.metadata`;
  }
}

/** The fields of malformed metadata that are fine by themselves. */
function decodableFields(metadata: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(metadata)) {
    const { value, error } = decodeTyped({ [key]: metadata[key] as JsonValue }, ObjectMeta);
    const field = error === undefined && isObject(value) ? getOwn(value, key) : undefined;
    if (field !== undefined && hasOwn(metadata, key)) setOwn(result, key, field);
  }
  return result;
}
