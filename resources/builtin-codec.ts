import { badRequest } from '../api/api-error.ts';
import type { FieldError } from '../api/field-error.ts';
import { atOnce, type Steps } from '../api/steps.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { type ApiObject, apiObjectOf } from '../api/object.ts';
import type { StructuralSchema } from '../schema/structure/structural.ts';
import { decodeTypedSteps, type Decoded } from '../schema/typed/decode.ts';
import { decodeTyped } from '../schema/typed/decode-at-once.ts';
import type { Codec, DecodeContext, DecodedObject } from './codec.ts';

interface BuiltinCodecOptions {
  readonly kind: string;
  readonly version: string;
  readonly schema: StructuralSchema;
  /** Fills in the defaults of a decoded object; in place, and idempotent. */
  readonly defaults?: (object: JsonObject) => void;
  /** The same in steps, where it may take long; in place of `defaults`. */
  readonly defaultSteps?: (object: JsonObject) => Steps<void>;
}

const NONE: readonly string[] = [];

/**
 * Reads one version of a built-in kind as a Go server does: types are strict,
 * unknown fields vanish, every object comes out in one canonical form. What
 * the values must be is the business of the kind's Strategy. `apiVersion` and
 * `kind` stay as they were given: whether they fit the path is for the caller.
 */
export class BuiltinCodec implements Codec {
  readonly #options: BuiltinCodecOptions;

  constructor(options: BuiltinCodecOptions) {
    this.#options = options;
  }

  decode(json: JsonObject, context: DecodeContext): DecodedObject {
    return this.#objectOf(decodeTyped(json, this.#options.schema, context), context);
  }

  *decodeSteps(json: JsonObject, context: DecodeContext): Steps<DecodedObject> {
    return this.#objectOf(yield* decodeTypedSteps(json, this.#options.schema, context), context);
  }

  #objectOf({ value, error, unknown, tolerated }: Decoded, context: DecodeContext): DecodedObject {
    if (error !== undefined) throw this.#cannotBeHandled(error);
    if (!isObject(value)) throw new Error('the schema of a kind is a struct');
    const object = apiObjectOf(value);
    if (!context.reportUnknown) return { object, unknownFields: NONE };
    return { object, unknownFields: unknown, toleratedFields: tolerated };
  }

  applyDefaults(object: ApiObject): void {
    const { defaults, defaultSteps } = this.#options;
    defaults?.(object);
    if (defaultSteps !== undefined) atOnce(defaultSteps(object));
  }

  defaultSteps(object: ApiObject): Steps<void> | undefined {
    return this.#options.defaultSteps?.(object);
  }

  validate(): FieldError[] {
    return [];
  }

  needsRefresh(): boolean {
    return false;
  }

  refresh(): void {
    // what is stored was written by this codec
  }

  /** Wording: apimachinery, pkg/runtime, the error that clients know from decoding. */
  #cannotBeHandled(why: string): Error {
    const { kind, version } = this.#options;
    return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`);
  }
}
