import { JsonStruct } from '../../cel/types/json-struct.ts';
import { fromJson } from '../../cel/value/json.ts';
import {
  CelDouble,
  CelError,
  CelList,
  CelMap,
  type CelValue,
  type Comparison,
  type Failure,
  type ListSemantics,
} from '../../cel/value/value.ts';
import {
  deepEqual,
  getOwn,
  hasOwn,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../api/json.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { escapeName, fieldNames } from './identifiers.ts';
import { MAP_LIST, SET_LIST, type KeyedList } from './list-semantics.ts';
import { textValue } from './texts.ts';
import { withTypeAndMeta } from './type-meta.ts';

/**
 * A JSON value as an expression sees it through a schema. Objects and lists are
 * wrapped, not copied, and their parts become values when they are read. What
 * does not fit its schema is an error where it is used: rules run on objects
 * that have been validated, except for what ratcheting lets pass.
 *
 * Source: k8s.io/apiserver pkg/cel/common, UnstructuredToVal.
 */
export function celValue(value: JsonValue, schema: StructuralSchema): CelValue {
  if (value === null) return schema.nullable ? null : NULL_DATA;
  if (schema.intOrString) {
    return typeof value === 'string' || isInteger(value) ? value : unfit('an integer or a string');
  }
  switch (schema.type) {
    case 'object':
      return isObject(value) ? objectValue(value, schema) : unfit('an object');
    case 'array':
      return Array.isArray(value) ? listValue(value, schema) : unfit('an array');
    case 'string':
      return typeof value === 'string' ? textValue(value, schema) : unfit('a string');
    case 'boolean':
      return typeof value === 'boolean' ? value : unfit('a boolean');
    case 'integer':
      return isInteger(value) ? value : unfit('an integer');
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
        ? new CelDouble(Number(value))
        : unfit('a number');
    case '':
      // no expression reaches it, but objects that hold it can be compared
      return fromJson(value);
  }
}

const NULL_DATA = new CelError('invalid data, got null for schema with nullable=false');
const unfit = (wanted: string): CelError => new CelError(`invalid data, expected ${wanted}`);

function isInteger(value: JsonValue): value is number | bigint {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function objectValue(value: JsonObject, schema: StructuralSchema): CelValue {
  const others = schema.additionalProperties;
  if (!schema.embedded && schema.properties === undefined && typeof others === 'object') {
    return new SchemaMap(value, others);
  }
  return new SchemaObject(value, schema.embedded ? withTypeAndMeta(schema) : schema);
}

interface Field {
  readonly name: string;
  readonly schema: StructuralSchema;
  /** Every JavaScript object has something of that name. */
  readonly isInherited: boolean;
}

const fieldsOfSchemas = new WeakMap<StructuralSchema, ReadonlyMap<string, Field>>();

/** The properties of a schema by their identifiers in expressions. */
function fieldsOf(schema: StructuralSchema): ReadonlyMap<string, Field> {
  const known = fieldsOfSchemas.get(schema);
  if (known !== undefined) return known;
  const fields = new Map<string, Field>();
  for (const [name, property] of schema.properties ?? []) {
    const field = { name, schema: property, isInherited: name in Object.prototype };
    for (const identifier of fieldNames(name)) fields.set(identifier, field);
  }
  fieldsOfSchemas.set(schema, fields);
  return fields;
}

/** An object whose fields are declared. A field that is null counts as absent. */
class SchemaObject extends JsonStruct {
  readonly #value: JsonObject;
  readonly #schema: StructuralSchema;
  readonly #fields: ReadonlyMap<string, Field>;

  constructor(value: JsonObject, schema: StructuralSchema) {
    super();
    this.#value = value;
    this.#schema = schema;
    this.#fields = fieldsOf(schema);
  }

  get size(): number {
    return Object.keys(this.#value).length;
  }

  field(identifier: string): CelValue | undefined {
    const field = this.#fields.get(identifier);
    if (field === undefined) return undefined;
    const { name, schema, isInherited } = field;
    const value = isInherited ? getOwn(this.#value, name) : this.#value[name];
    return value === undefined || value === null ? undefined : celValue(value, schema);
  }

  get(key: CelValue): CelValue | undefined {
    return typeof key === 'string' ? this.field(key) : undefined;
  }

  keys(): readonly CelValue[] {
    return Object.keys(this.#value).flatMap((name) =>
      this.#schema.properties?.has(name) === true ? (escapeName(name) ?? []) : [],
    );
  }

  #property(name: string, schema: StructuralSchema): CelValue | undefined {
    const value = getOwn(this.#value, name);
    return value === undefined || value === null ? undefined : celValue(value, schema);
  }

  /** Declared fields compare by their types, others as the JSON that they are. */
  override equals(other: CelMap, comparison: Comparison): boolean | Failure {
    if (!(other instanceof SchemaObject) || this.size !== other.size) return false;
    for (const name of Object.keys(this.#value)) {
      const schema = this.#schema.properties?.get(name);
      if (schema === undefined) {
        if (!hasOwn(other.#value, name) || !deepEqual(this.#value[name], other.#value[name])) {
          return false;
        }
        continue;
      }
      const mine = this.#property(name, schema);
      const theirs = other.#property(name, schema);
      if (mine === undefined || theirs === undefined) {
        if (mine !== theirs) return false;
        continue;
      }
      const same = comparison.equal(mine, theirs);
      if (same !== true) return same;
    }
    return true;
  }
}

/** An object with keys of the user's choice and values of one schema. */
class SchemaMap extends CelMap {
  readonly #value: JsonObject;
  readonly #values: StructuralSchema;

  constructor(value: JsonObject, values: StructuralSchema) {
    super();
    this.#value = value;
    this.#values = values;
  }

  get size(): number {
    return Object.keys(this.#value).length;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined;
    const value = getOwn(this.#value, key);
    return value === undefined ? undefined : celValue(value, this.#values);
  }

  keys(): readonly CelValue[] {
    return Object.keys(this.#value);
  }
}

function listValue(value: readonly JsonValue[], schema: StructuralSchema): CelValue {
  const { items, listType } = schema;
  if (items === undefined) return unfit('items with a schema');
  if (listType === 'set') return new SchemaList(value, items, SET_LIST, []);
  if (listType !== 'map') return new SchemaList(value, items, undefined, []);
  const keys = schema.listMapKeys.map((key) => escapeName(key) ?? key);
  return new SchemaList(value, items, MAP_LIST, keys);
}

class SchemaList extends CelList implements KeyedList {
  readonly keys: readonly string[];
  readonly #value: readonly JsonValue[];
  readonly #items: StructuralSchema;
  readonly #semantics: ListSemantics | undefined;

  constructor(
    value: readonly JsonValue[],
    items: StructuralSchema,
    semantics: ListSemantics | undefined,
    keys: readonly string[],
  ) {
    super();
    this.#value = value;
    this.#items = items;
    this.#semantics = semantics;
    this.keys = keys;
  }

  get length(): number {
    return this.#value.length;
  }

  at(index: number): CelValue {
    return celValue(this.#value[index] ?? null, this.#items);
  }

  override get semantics(): ListSemantics | undefined {
    return this.#semantics;
  }
}
