import { isObject, type JsonValue } from '../api/json.ts';

/** Fields and list items that the defaults of a schema may add to one object. */
const MAX_DEFAULTED_FIELDS = 50_000;
/** Bytes of JSON that they may add: as much as a request may send. */
const MAX_DEFAULTED_BYTES = 3 * 1024 * 1024;
/** What all defaults of one definition may grow to, each with the defaults inside it. */
export const MAX_EXPANDED_FIELDS = 50_000;
export const MAX_EXPANDED_BYTES = 3 * 1024 * 1024;

/** How large a value is. */
export interface ValueSize {
  /** Fields and list items, and the value itself. */
  readonly fields: number;
  /** As many as its JSON has, or a little less. */
  readonly bytes: number;
}

/** The size of a value. */
export function sizeOf(value: JsonValue): ValueSize {
  if (typeof value === 'string') return { fields: 1, bytes: Buffer.byteLength(value) + 2 };
  let fields = 1;
  let bytes = 1;
  const add = (child: JsonValue, extra: number): void => {
    const size = sizeOf(child);
    fields += size.fields;
    bytes += size.bytes + extra;
  };
  if (Array.isArray(value)) for (const item of value) add(item, 1);
  else if (isObject(value)) for (const key in value) add(value[key] as JsonValue, key.length + 4);
  return { fields, bytes };
}

/** What defaulting may still add. It is taken before anything is copied. */
export class DefaultBudget {
  #fields: number;
  #bytes: number;

  constructor(fields = MAX_DEFAULTED_FIELDS, bytes = MAX_DEFAULTED_BYTES) {
    this.#fields = fields;
    this.#bytes = bytes;
  }

  /** The budget for all defaults of one definition. */
  static ofDefinition(): DefaultBudget {
    return new DefaultBudget(MAX_EXPANDED_FIELDS, MAX_EXPANDED_BYTES);
  }

  /** False: that is more than is left. */
  take({ fields, bytes }: ValueSize): boolean {
    this.#fields -= fields;
    this.#bytes -= bytes;
    return this.#fields >= 0 && this.#bytes >= 0;
  }
}

/** The defaults of a schema add too much to an object. */
export class DefaultsTooLarge extends Error {
  override readonly name = 'DefaultsTooLarge';
  /** The field that the first default without room belongs to. */
  readonly path: string;

  constructor(path: string) {
    super(
      `defaults may add at most ${MAX_DEFAULTED_FIELDS} fields and ${MAX_DEFAULTED_BYTES} bytes to an object`,
    );
    this.path = path;
  }
}
