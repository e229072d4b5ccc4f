import { getOwn, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { formatDuration } from './duration.ts';
import { INT64_MAX, INT64_MIN } from './int.ts';
import { formatTimestamp } from './timestamp.ts';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
} from './value.ts';

/**
 * JSON whose type nothing declares, as expressions see it: whole numbers are
 * ints, others doubles. Objects and lists are wrapped, not copied.
 */
export function fromJson(value: JsonValue): CelValue {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? value : new CelDouble(value);
    case 'bigint':
      return value >= INT64_MIN && value <= INT64_MAX ? value : new CelDouble(Number(value));
    case 'object':
      if (value === null) return null;
      return Array.isArray(value) ? new JsonList(value) : new JsonMap(value);
    default:
      return value;
  }
}

/** {@link fromJson} of an object. */
export function mapFromJson(object: JsonObject): CelMap {
  return new JsonMap(object);
}

class JsonList extends CelList {
  readonly #items: readonly JsonValue[];

  constructor(items: readonly JsonValue[]) {
    super();
    this.#items = items;
  }

  get length(): number {
    return this.#items.length;
  }

  at(index: number): CelValue {
    return fromJson(this.#items[index] as JsonValue);
  }
}

/** Only what the object itself has is in the map: nothing comes from JavaScript's prototypes. */
class JsonMap extends CelMap {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    super();
    this.#object = object;
  }

  get size(): number {
    return Object.keys(this.#object).length;
  }

  get(key: CelValue): CelValue | undefined {
    const value = typeof key === 'string' ? getOwn(this.#object, key) : undefined;
    return value === undefined ? undefined : fromJson(value);
  }

  keys(): readonly CelValue[] {
    return Object.keys(this.#object);
  }
}

/** Values share their parts, so few steps can make one that is far larger as JSON. */
const MAX_JSON_NODES = 100_000;
const MAX_JSON_CHARACTERS = 16 * 1024 * 1024;

/**
 * The value as JSON, or why it is none: times and durations as text, bytes in
 * base64, optionals as what is in them; entries with an empty optional are left out.
 */
export function toJson(value: CelValue): JsonValue | CelError {
  try {
    return new JsonWriter().write(value);
  } catch (error) {
    if (error instanceof NotJson) return new CelError(error.message);
    throw error;
  }
}

class NotJson extends Error {
  override readonly name = 'NotJson';
}

class JsonWriter {
  #nodes = 0;
  #characters = 0;

  write(value: CelValue): JsonValue {
    if (++this.#nodes > MAX_JSON_NODES) throw new NotJson('value is too large');
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof CelDouble) {
      if (Number.isFinite(value.value)) return value.value;
      throw new NotJson('not a finite number');
    }
    if (value instanceof CelUint) return integer(value.value);
    if (value instanceof CelTimestamp) return formatTimestamp(value);
    if (value instanceof CelDuration) return formatDuration(value);
    if (value instanceof CelBytes) return this.#text(Buffer.from(value.value).toString('base64'));
    if (value instanceof CelOptional) return this.write(value.value ?? null);
    if (value instanceof CelList) {
      return Array.from({ length: value.length }, (_, i) => this.write(value.at(i)));
    }
    if (value instanceof CelMap) return this.#object(value);
    throw new NotJson(value instanceof CelError ? value.message : 'the value has no form in JSON');
  }

  #text(text: string): string {
    this.#characters += text.length;
    if (this.#characters > MAX_JSON_CHARACTERS) throw new NotJson('value is too large');
    return text;
  }

  #object(map: CelMap): JsonObject {
    const object: JsonObject = {};
    for (const key of map.keys()) {
      const value = map.get(key) ?? null;
      if (value instanceof CelOptional && value.value === undefined) continue;
      setOwn(object, this.#text(keyText(key)), this.write(value));
    }
    return object;
  }
}

function integer(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function keyText(key: CelValue): string {
  switch (typeof key) {
    case 'string':
      return key;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(key);
    default:
      if (key instanceof CelUint) return key.value.toString();
      throw new NotJson('keys of objects are strings');
  }
}
