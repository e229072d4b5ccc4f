import { ApiError, badRequest, invalid } from '../../api/api-error.ts';
import { fieldError, fieldErrorText, type FieldError } from '../../api/field-error.ts';
import { getPath, type JsonObject } from '../../api/json.ts';
import { type ApiObject, apiObjectOf } from '../../api/object.ts';
import { atOnce, type Steps } from '../../api/steps.ts';
import { writtenPattern } from '../../cel/value/pattern.ts';
import { applyDefaults } from '../../schema/default.ts';
import { DefaultsTooLarge } from '../../schema/default-budget.ts';
import type { LazySchema } from '../../schema/lazy.ts';
import { decodeMetadata } from '../../schema/metadata.ts';
import { needsWork } from '../../schema/needs-work.ts';
import { prune } from '../../schema/prune.ts';
import { CONTAINS } from '../../schema/structure/structural.ts';
import { UnknownFields } from '../../schema/unknown-fields.ts';
import { slowPatterns } from '../../schema/slow-patterns.ts';
import { blocksRules, resourceSteps, validateResource } from '../../schema/validate/validate.ts';
import type { Codec, DecodeContext, DecodedObject, ValidateScope } from '../codec.ts';
import type { ScalePaths } from '../definition.ts';
import { dropNulls } from './drop-nulls.ts';
import type { CustomRules, RuleCompilation } from './rules.ts';
import { validateScaleValues } from './scale.ts';

interface CustomCodecOptions {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  readonly schema: LazySchema;
  readonly scale: ScalePaths | undefined;
  readonly rules: RuleCompilation;
}

const NONE: readonly string[] = [];

/**
 * Reads one version of a custom resource by the schema of its definition.
 * `apiVersion` and `kind` stay as they were given: whether they fit the path is
 * for the caller.
 *
 * Source: specification 3, section 2.1; behaviours 7.3 to 7.6, 7.17, 7.21.
 */
export class CustomCodec implements Codec {
  readonly #options: CustomCodecOptions;
  /** null: looked for, and there are none. */
  #rules: CustomRules | null | undefined;
  /** Of the schema; undefined: not looked for yet. */
  #slowPatterns: readonly string[] | undefined;

  constructor(options: CustomCodecOptions) {
    this.#options = options;
  }

  prepareSteps(use: 'read' | 'write'): Steps<unknown> | undefined {
    if (use === 'read') {
      const { schema } = this.#options;
      return schema.isBuilt ? undefined : schema.build();
    }
    return this.#rules === undefined || this.#slowPatterns === undefined
      ? this.#prepareWrites()
      : undefined;
  }

  *#prepareWrites(): Steps<void> {
    const schema = yield* this.#options.schema.build();
    this.#rules ??= (yield* this.#options.rules(schema)) ?? null;
    this.#slowPatterns ??= yield* slowPatterns(schema);
    yield* this.#compilePatterns();
  }

  /** They may have been forgotten since they were used last. */
  *#compilePatterns(): Steps<void> {
    for (const pattern of this.#slowPatterns ?? []) {
      yield;
      writtenPattern(pattern).compile();
    }
  }

  decode(
    json: JsonObject,
    { reportUnknown, dropInvalidMetadata = false }: DecodeContext,
  ): DecodedObject {
    const object = { ...json };
    const { schema } = this.#options.schema;
    const unknown = reportUnknown ? new UnknownFields() : undefined;
    const wrong = decodeMetadata(object, schema, {
      isRoot: true,
      unknown,
      dropInvalid: dropInvalidMetadata,
    });
    if (wrong !== undefined) throw this.#cannotBeHandled(wrong);
    prune(object, schema, { isRoot: true, unknown });
    return { object: apiObjectOf(object), unknownFields: unknown?.paths() ?? NONE };
  }

  applyDefaults(object: ApiObject, keepNulls = false): void {
    const full = applyDefaults(object, this.#options.schema.schema, { keepNulls });
    if (full === undefined) return;
    const { group, kind } = this.#options;
    const name = getPath(object, 'metadata', 'name');
    const cause = new DefaultsTooLarge(full);
    const { status } = invalid({ group, kind }, typeof name === 'string' ? name : '', [
      fieldError.forbidden(full, cause.message),
    ]);
    throw new ApiError(status, cause);
  }

  validate(object: ApiObject, old: ApiObject | undefined, scope?: ValidateScope): FieldError[] {
    const { schema, scale } = this.#options;
    const statusOnly = scope?.subresource === 'status';
    const errors = validateResource(object, schema.schema, { old, statusOnly });
    if (scale !== undefined) errors.push(...validateScaleValues(object, scale, statusOnly));
    if ((schema.schema.contains & CONTAINS.rules) === 0) return errors;
    return [...errors, ...atOnce(this.#validateRules(object, old, errors, scope))];
  }

  validateSteps(
    object: JsonObject,
    old: JsonObject | undefined,
    scope: ValidateScope | undefined,
    isLarge: boolean,
  ): Steps<FieldError[]> | undefined {
    const { contains } = this.#options.schema.schema;
    const isSlow = isLarge || (contains & CONTAINS.rules) !== 0 || this.#slowPatterns?.length !== 0;
    return isSlow ? this.#validateSteps(object, old, scope, isLarge) : undefined;
  }

  *#validateSteps(
    object: JsonObject,
    old: JsonObject | undefined,
    scope: ValidateScope | undefined,
    isLarge: boolean,
  ): Steps<FieldError[]> {
    if (this.#slowPatterns === undefined) yield* this.#prepareWrites();
    else yield* this.#compilePatterns();
    const { scale } = this.#options;
    const { schema } = this.#options.schema;
    const statusOnly = scope?.subresource === 'status';
    const errors = isLarge
      ? yield* resourceSteps(object, schema, { old, statusOnly })
      : validateResource(object, schema, { old, statusOnly });
    if (scale !== undefined) errors.push(...validateScaleValues(object, scale, statusOnly));
    if ((schema.contains & CONTAINS.rules) === 0) return errors;
    return [...errors, ...(yield* this.#validateRules(object, old, errors, scope))];
  }

  needsRefresh(object: ApiObject): boolean {
    return needsWork(object, this.#options.schema.schema);
  }

  refresh(object: ApiObject): void {
    this.#trim(object);
    const full = applyDefaults(object, this.#options.schema.schema);
    if (full !== undefined) throw new DefaultsTooLarge(full);
  }

  trimConverted(object: ApiObject): void {
    this.#trim(object);
    dropNulls(object, this.#options.schema.schema);
  }

  #trim(object: JsonObject): void {
    const { schema } = this.#options.schema;
    decodeMetadata(object, schema, { isRoot: true, dropInvalid: true });
    prune(object, schema, { isRoot: true });
  }

  *#validateRules(
    object: JsonObject,
    old: JsonObject | undefined,
    errors: readonly FieldError[],
    scope: ValidateScope | undefined,
  ): Steps<readonly FieldError[]> {
    this.#rules ??= (yield* this.#options.rules(this.#options.schema.schema)) ?? null;
    if (this.#rules === null) return [];
    if (blocksRules(errors)) return [UNCHECKED];
    const outcome = yield* this.#rules.validate(object, old);
    for (const text of outcome.warnings) scope?.warn(text);
    return outcome.errors;
  }

  #cannotBeHandled(wrong: FieldError): Error {
    const { kind, version } = this.#options;
    return badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${fieldErrorText(wrong)}`,
    );
  }
}

const UNCHECKED = fieldError.invalid(
  '',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
