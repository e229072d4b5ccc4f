import type { FieldError } from '../../api/field-error.ts';
import { getOwn, getPath, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { aliasGroup, LAST_APPLIED_ANNOTATION } from '../../api/naming.ts';
import { type ApiObject, apiObjectOf } from '../../api/object.ts';
import {
  KUBERNETES_EXTENSION,
  mapSchemaExtensions,
  type Dialect,
} from '../../api/schema-extensions.ts';
import type { Codec, DecodeContext, DecodedObject } from '../codec.ts';
import { CRD_GROUP } from './crd-types.ts';

/** How an extension key in Kubernetes' spelling begins in the text of an annotation. */
const KUBERNETES_KEY = `"${KUBERNETES_EXTENSION}`;
/** How the type of a manifest stands in it that was applied under the alias. */
const ALIAS_TYPE = `"apiVersion":"${aliasGroup(CRD_GROUP)}/`;

/**
 * Reads definitions whose schemas use either spelling of the extension keys:
 * inside the server, and in what it stores, there are only the neutral ones.
 * Only what kubectl applied in the other spelling is shown in it. Source: specification 3, section 1; behaviours 0.2.
 */
export class CrdCodec implements Codec {
  readonly #typed: Codec;

  /** `typed` knows the neutral spelling only. */
  constructor(typed: Codec) {
    this.#typed = typed;
  }

  withOwnNames(json: JsonObject): JsonObject {
    return inDialect(json, 'neutral');
  }

  withAppliedNames(object: ApiObject): ApiObject {
    const applied = getPath(object, 'metadata', 'annotations', LAST_APPLIED_ANNOTATION);
    if (typeof applied !== 'string' || !applied.includes(KUBERNETES_KEY)) return object;
    // what was applied under the alias is read under the alias
    if (applied.includes(ALIAS_TYPE)) return object;
    return apiObjectOf(inDialect(object, 'kubernetes'));
  }

  decode(json: JsonObject, context: DecodeContext): DecodedObject {
    return this.#typed.decode(this.withOwnNames(json), context);
  }

  applyDefaults(object: ApiObject): void {
    this.#typed.applyDefaults(object);
  }

  validate(object: ApiObject, old: ApiObject | undefined): FieldError[] {
    return this.#typed.validate(object, old);
  }

  needsRefresh(object: ApiObject): boolean {
    return this.#typed.needsRefresh(object);
  }

  refresh(object: ApiObject): void {
    this.#typed.refresh(object);
  }
}

/** The definition with the extension keys of its schemas in one spelling; itself when it is so already. */
export function inDialect(object: JsonObject, to: Dialect): JsonObject {
  return changed(object, 'spec', (spec) =>
    changed(spec, 'versions', (versions) =>
      items(versions, (version) => renamedVersion(version, to)),
    ),
  ) as JsonObject;
}

function renamedVersion(version: JsonValue, to: Dialect): JsonValue {
  return changed(version, 'schema', (validation) =>
    changed(validation, 'openAPIV3Schema', (schema) =>
      isObject(schema) ? mapSchemaExtensions(schema, to) : schema,
    ),
  );
}

/** The object with another value at a key; the same object when nothing changes. */
function changed(
  object: JsonValue,
  key: string,
  change: (value: JsonValue) => JsonValue,
): JsonValue {
  if (!isObject(object)) return object;
  const before = getOwn(object, key);
  if (before === undefined) return object;
  const after = change(before);
  return after === before ? object : { ...object, [key]: after };
}

function items(list: JsonValue, change: (item: JsonValue) => JsonValue): JsonValue {
  if (!Array.isArray(list)) return list;
  const after = list.map(change);
  return after.some((item, i) => item !== list[i]) ? after : list;
}
