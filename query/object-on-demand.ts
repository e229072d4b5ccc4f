import type { JsonObject } from '../api/json.ts';
import { fromJson, mapFromJson } from '../cel/value/json.ts';
import { CelMap, type CelValue } from '../cel/value/value.ts';
import type { StructuralSchema } from '../schema/structure/structural.ts';
import { ABSENT, isPlainKey, memberAt, scalarAt, STRANGE, UNKNOWN } from './read-bytes.ts';

const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const LETTER_N = 0x6e;

/** An object in canonical bytes, of which an expression reads what it needs. */
export interface ObjectBytes {
  readonly bytes: Buffer;
  /** Position behind the metadata's closing brace; 0: not known. */
  readonly metadataEnd: number;
  /** By what the object is pruned and defaulted when it is read; undefined: the bytes are as it is shown. */
  readonly schema: StructuralSchema | undefined;
  /** The whole object as it is shown. */
  whole(): JsonObject;
}

/**
 * An object for expressions, like `fromJson(source.whole())`: fields that are asked
 * for by their names are read from the bytes, in a hundredth of the time that parsing
 * takes. Whatever the bytes cannot tell is read from the whole object: lists, what
 * pruning may take away and defaults may add, and what is not canonical.
 */
export function objectOnDemand(source: ObjectBytes): CelMap {
  let whole: CelValue | undefined;
  const { bytes, metadataEnd, schema } = source;
  const patience = { left: Math.max(MIN_SCANNED, SCANNED_TIMES * bytes.length) };
  const place = { bytes, start: 0, metadataEnd, schema, patience };
  return new ByteMap(place, () => (whole ??= mapFromJson(source.whole())));
}

/** Bytes that are scanned for the fields of one object before it is parsed: so many times its own, and at least so many. */
const SCANNED_TIMES = 4;
const MIN_SCANNED = 32 * 1024;

/** To look for each of the keys of a large map takes time by the square of their number. */
interface Patience {
  left: number;
}

const NOTHING = mapFromJson({});

/** An object within bytes. */
interface Place {
  readonly bytes: Buffer;
  /** Position of its opening brace. */
  readonly start: number;
  /** As in {@link ObjectBytes}; 0 below the top. */
  readonly metadataEnd: number;
  readonly schema: StructuralSchema | undefined;
  /** Of all that is read of the object. */
  readonly patience: Patience;
}

class ByteMap extends CelMap {
  readonly #place: Place;
  readonly #whole: () => CelValue | undefined;

  constructor(place: Place, whole: () => CelValue | undefined) {
    super();
    this.#place = place;
    this.#whole = whole;
  }

  get size(): number {
    return this.#map().size;
  }

  keys(): readonly CelValue[] {
    return this.#map().keys();
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined;
    const read = this.#read(key);
    return read === UNKNOWN ? this.#map().get(key) : read;
  }

  #map(): CelMap {
    // a parsed object is not scanned again
    this.#place.patience.left = 0;
    const value = this.#whole();
    // what is read of an object may leave out a map that is empty
    return value instanceof CelMap ? value : NOTHING;
  }

  #read(key: string): CelValue | undefined | typeof UNKNOWN {
    const { bytes, start, metadataEnd, schema, patience } = this.#place;
    const name = isPlainKey(key) ? nameBytes(key) : undefined;
    if (name === undefined || patience.left <= 0) return UNKNOWN;
    // what stands before the metadata's end is stored well-formed
    const isHead = metadataEnd > 0 && HEAD.has(key);
    const child = isHead ? undefined : schema?.properties?.get(key);
    if (!isHead && schema !== undefined && (child === undefined || child.embedded)) return UNKNOWN;
    const from = metadataEnd > 0 && !isHead ? metadataEnd : start;
    const at = memberAt(bytes, from, name);
    patience.left -= at < 0 ? bytes.length - from : at - from;
    if (at === STRANGE) return UNKNOWN;
    if (at === ABSENT) return child?.default === undefined ? undefined : UNKNOWN;
    switch (bytes[at]) {
      case OPENING_BRACE:
        return new ByteMap({ bytes, start: at, metadataEnd: 0, schema: child, patience }, () =>
          this.#map().get(key),
        );
      case OPENING_BRACKET:
        return UNKNOWN;
      case LETTER_N:
        return schema === undefined ? null : UNKNOWN;
      default: {
        const value = scalarAt(bytes, at);
        return value === undefined || value === UNKNOWN ? UNKNOWN : fromJson(value);
      }
    }
  }
}

/** Members of an object whose bytes stand before the end of its metadata. */
const HEAD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Names of fields that are kept as bytes; expressions name few. */
const MAX_NAMES = 1_000;
const names = new Map<string, Buffer>();

function nameBytes(key: string): Buffer {
  const known = names.get(key);
  if (known !== undefined) return known;
  const bytes = Buffer.from(`"${key}":`);
  if (names.size < MAX_NAMES) names.set(key, bytes);
  return bytes;
}
