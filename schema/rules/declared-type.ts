import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  STRING,
  structType,
  TIMESTAMP,
} from '../../cel/value/type.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { fieldNames } from './identifiers.ts';
import { withTypeAndMeta } from './type-meta.ts';
import type { CelType } from '../../cel/value/cel-type.ts';

/** The largest request in bytes, by which sizes are bounded where a schema does not bound them. */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
/** Fewest bytes of values in JSON, and most of those with a fixed form (with their quotes). */
const MIN_STRING = 2;
const MIN_BOOL = 4;
const MIN_NUMBER = 1;
const MIN_DURATION = 3;
const MAX_DURATION = 32;
const DATE = 12;
const MIN_DATE_TIME = 21;
const MAX_DATE_TIME = 32;
const MAX_STRING = MAX_REQUEST_BYTES - 2;
/** A character has at most so many bytes; lengths are declared in characters. */
const BYTES_PER_CHARACTER = 4;

/**
 * What a schema is to the expression language: a type, and how large values of
 * it can be, by which costs are estimated. Source: k8s.io/apiserver pkg/cel/common.
 */
export interface DeclaredType {
  readonly cel: CelType;
  /** Most bytes of a text, items of a list, entries of a map; 0 for what has no size. */
  readonly maxElements: number;
  /** Fewest bytes of a value in JSON. */
  readonly minBytes: number;
  /** Of an object: the accessible fields by their names in expressions. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  /** Of a list or map: its items or values. */
  readonly element?: DeclaredType;
}

/**
 * Declares the types of schemas. Each schema is declared once, under a name
 * that no other has, so that the types of parts can be used apart from those
 * of the whole and the other way round.
 */
export class TypeDeclarer {
  readonly #known = new Map<StructuralSchema, DeclaredType | undefined>();
  #objects = 0;

  /**
   * The type of a schema; undefined when values of it are not accessible (their
   * type is unknown, or that of what is in them). `isResource` says that it
   * describes an object of the API.
   */
  declare(schema: StructuralSchema, isResource = schema.embedded): DeclaredType | undefined {
    const seen = isResource ? withTypeAndMeta(schema) : schema;
    if (!this.#known.has(seen)) this.#known.set(seen, this.#make(seen));
    return this.#known.get(seen);
  }

  #make(schema: StructuralSchema): DeclaredType | undefined {
    if (schema.intOrString) {
      const maxLength = schema.keywords?.maxLength;
      return simple(DYN, 1, maxLength === undefined ? MAX_STRING : bytesOf(maxLength));
    }
    switch (schema.type) {
      case 'array':
        return this.#list(schema);
      case 'object':
        return typeof schema.additionalProperties === 'object'
          ? this.#map(schema, schema.additionalProperties)
          : this.#object(schema);
      case 'string':
        return declareText(schema);
      case 'boolean':
        return simple(BOOL, MIN_BOOL);
      case 'number':
        return simple(DOUBLE, MIN_NUMBER);
      case 'integer':
        return simple(INT, MIN_NUMBER);
      case '':
        return undefined;
    }
  }

  #list({ items, keywords }: StructuralSchema): DeclaredType | undefined {
    const element = items && this.declare(items);
    if (element === undefined) return undefined;
    const most = Math.floor((MAX_REQUEST_BYTES - 2) / (element.minBytes + 1));
    const maxElements = Math.max(0, keywords?.maxItems ?? most);
    return { cel: listType(element.cel), minBytes: 2, maxElements, element };
  }

  #map({ keywords }: StructuralSchema, values: StructuralSchema): DeclaredType | undefined {
    const element = this.declare(values);
    if (element === undefined) return undefined;
    // a key of one character in quotes, a colon and a comma go with each value
    const most = Math.floor((MAX_REQUEST_BYTES - 2) / (element.minBytes + 6));
    const maxElements = Math.max(0, keywords?.maxProperties ?? most);
    return { cel: mapType(STRING, element.cel), minBytes: 2, maxElements, element };
  }

  #object(schema: StructuralSchema): DeclaredType {
    const fields = new Map<string, DeclaredType>();
    const required = new Set(schema.keywords?.required);
    let minBytes = 2;
    for (const [property, child] of schema.properties ?? []) {
      const type = this.declare(child);
      if (type === undefined) continue;
      for (const name of fieldNames(property)) fields.set(name, type);
      // what has a default need not be sent
      if (required.has(property) && child.default === undefined) {
        minBytes += Buffer.byteLength(property) + type.minBytes + 4;
      }
    }
    const cel = structType(`selfType${++this.#objects}`, (field) => fields.get(field)?.cel);
    return { cel, minBytes, maxElements: 0, fields };
  }
}

function simple(cel: CelType, minBytes: number, maxElements = 0): DeclaredType {
  return { cel, minBytes, maxElements };
}

const bytesOf = (characters: number): number => Math.max(0, characters) * BYTES_PER_CHARACTER;

function declareText({ keywords }: StructuralSchema): DeclaredType {
  const maxLength = keywords?.maxLength;
  switch (keywords?.format) {
    case 'byte':
      return simple(BYTES, MIN_STRING, Math.max(0, maxLength ?? MAX_STRING));
    case 'duration':
      return simple(DURATION, MIN_DURATION, MAX_DURATION);
    case 'date':
      return simple(TIMESTAMP, DATE, DATE);
    case 'date-time':
      return simple(TIMESTAMP, MIN_DATE_TIME, MAX_DATE_TIME);
    default:
  }
  if (maxLength !== undefined) return simple(STRING, MIN_STRING, bytesOf(maxLength));
  const texts = keywords?.enum;
  if (texts === undefined) return simple(STRING, MIN_STRING, MAX_STRING);
  const longest = texts.reduce<number>(
    (most, text) => Math.max(most, typeof text === 'string' ? Buffer.byteLength(text) : 0),
    0,
  );
  return simple(STRING, MIN_STRING, longest);
}

/**
 * How large the value at the end of a path can be: names of fields, `@items`,
 * `@values` and `@keys` from `type` on. Undefined when the path leads nowhere.
 */
export function maxSizeAt(type: DeclaredType, path: readonly string[]): number | undefined {
  let at: DeclaredType | undefined = type;
  for (const [i, step] of path.entries()) {
    // keys have no declared length
    if (step === '@keys') return i === path.length - 1 ? 0 : undefined;
    at = step === '@items' || step === '@values' ? at.element : at.fields?.get(step);
    if (at === undefined) return undefined;
  }
  return at.maxElements;
}
