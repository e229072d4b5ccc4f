import { fieldError, fieldErrorText } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { deepClone, deepEqual, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import { decodeMetadata } from '../metadata.ts';
import { isMetaField, prune } from '../prune.ts';
import { CONTAINS, type StructuralSchema } from '../structure/structural.ts';
import { validateEmbedded } from '../validate/embedded.ts';
import { validateValue } from '../validate/validate.ts';
import type { Report } from './report.ts';
import type { RuleCompiler } from './rule-seam.ts';

/**
 * Every default must be valid by its own schema, without unknown fields, and
 * must not break the rules that stand with it. Defaults inside the metadata of
 * embedded resources must give valid metadata; one of the root, which no object
 * ever takes, must be such a resource. Those below additionalProperties are not
 * looked at, as in kube-apiserver.
 *
 * Source: behaviours 7.4; apiextensions-apiserver pkg/apiserver/schema/defaulting.
 */
export function checkDefaults(
  root: StructuralSchema,
  path: FieldPath,
  report: Report,
  rules: RuleCompiler | undefined,
): Steps<void> {
  const resource = root.embedded ? root : root.with({ embedded: true });
  return new Walk(report, rules).visit(resource, path, {
    resource,
    isMeta: false,
    around: identity,
  });
}

/** The innermost resource around a place, and how a value at the place stands in it. */
interface Place {
  readonly resource: StructuralSchema;
  /** Inside apiVersion, kind or metadata of the resource. */
  readonly isMeta: boolean;
  /** Puts a value into the object that it would be part of. */
  readonly around: (value: JsonValue) => JsonValue;
}
const identity = (value: JsonValue): JsonValue => value;

class Walk {
  readonly #report: Report;
  readonly #rules: RuleCompiler | undefined;

  constructor(report: Report, rules: RuleCompiler | undefined) {
    this.#report = report;
    this.#rules = rules;
  }

  *visit(schema: StructuralSchema, path: FieldPath, outer: Place): Steps<void> {
    yield;
    if ((schema.contains & CONTAINS.default) === 0) return;
    const place = schema.embedded ? { resource: schema, isMeta: false, around: identity } : outer;
    if (schema.default !== undefined) yield* this.#check(schema, schema.default, path, place);
    if (schema.items !== undefined) {
      const around = (value: JsonValue): JsonValue => place.around([value]);
      yield* this.visit(schema.items, path.child('items'), { ...place, around });
    }
    const isResource = schema === place.resource;
    for (const [name, property] of schema.properties ?? []) {
      const around = (value: JsonValue): JsonValue => {
        const object: JsonObject = {};
        setOwn(object, name, value);
        return place.around(object);
      };
      const isMeta = place.isMeta || (isResource && isMetaField(name));
      yield* this.visit(property, path.child('properties').key(name), { ...place, isMeta, around });
    }
  }

  *#check(schema: StructuralSchema, value: JsonValue, path: FieldPath, place: Place): Steps<void> {
    const at = path.child('default');
    if (!place.isMeta) this.#checkFields(schema, value, at);
    const { count } = this.#report;
    if (place.isMeta) this.#checkInMeta(value, at, place);
    else this.#checkResources(schema, value, at);
    if (this.#report.count > count) return;
    yield;
    this.#report.add(...validateValue(value, schema, { path: at }));
    if (this.#report.count > count || this.#rules === undefined) return;
    this.#report.add(...(yield* this.#rules.checkDefault(value, schema, at)));
  }

  /** Fields that would go are reported besides all else that is wrong. */
  #checkFields(schema: StructuralSchema, value: JsonValue, at: FieldPath): void {
    const pruned = deepClone(value);
    prune(pruned, schema);
    if (deepEqual(pruned, value)) return;
    this.#report.add(fieldError.invalid(at, value, 'must not have unknown fields'));
  }

  #checkResources(schema: StructuralSchema, value: JsonValue, at: FieldPath): void {
    const wrong = decodeMetadata(deepClone(value), schema);
    if (wrong !== undefined) {
      this.#report.add({ ...wrong, path: `${at.toString()}.${wrong.path}` });
    } else this.#report.add(...validateEmbedded(value, schema, at));
  }

  /** The default is part of the type or metadata of a resource, which is checked as a whole. */
  #checkInMeta(value: JsonValue, at: FieldPath, { resource, around }: Place): void {
    const object = around(deepClone(value)) as JsonObject;
    object['apiVersion'] ??= 'validation/v1';
    object['kind'] ??= 'Validation';
    const wrong = decodeMetadata(object, resource);
    const errors = wrong === undefined ? validateEmbedded(object, resource) : [wrong];
    if (errors.length === 0) return;
    const why = `must result in valid metadata: ${errors.map(fieldErrorText).join(', ')}`;
    this.#report.add(fieldError.invalid(at, value, why));
  }
}
