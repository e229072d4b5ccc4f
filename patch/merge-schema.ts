import type { JsonValue } from '../api/json.ts';

/**
 * What merging has to know of a schema: for each place in an object whether it
 * is a leaf, and how its children are told apart. A read-only view; where it
 * comes from (a built-in kind, a custom resource's structural schema) is the
 * caller's business.
 *
 * A place may allow several shapes at once (anything goes, an integer or a
 * string); the value at hand decides. Nodes may form cycles.
 */
export interface MergeSchema {
  readonly scalar?: ScalarType | undefined;
  readonly map?: MergeMap | undefined;
  readonly list?: MergeList | undefined;
  /** Only strategic merge patches read it. */
  readonly strategy?: PatchStrategy | undefined;
}

/** `untyped` is a scalar of any type: times, quantities, integers or strings. */
export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

/** A struct (named fields), a map (keys of the user's choice), or both. */
export interface MergeMap {
  /** An atomic map is owned and replaced as a whole. */
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, MergeSchema>;
  /** Schema of every other key; undefined when there must be none. */
  readonly element: MergeSchema | undefined;
}

export interface MergeList {
  /** `atomic`: a whole; `set`: scalars told apart by value; `map`: objects told apart by keys. */
  readonly type: 'atomic' | 'set' | 'map';
  /** The keys of a `map` list, in the order of their names. */
  readonly keys: readonly ListKey[];
  readonly element: MergeSchema;
}

export interface ListKey {
  readonly name: string;
  /** The name as JSON text. */
  readonly quoted: string;
  /** Stands in for a key that an item leaves out. */
  readonly default: JsonValue | undefined;
}

/** How a strategic merge patch treats a field (patch strategy and merge key of built-in kinds). */
export interface PatchStrategy {
  /** Items of a list are merged, by the merge key or by value; otherwise the list is replaced. */
  readonly merge: boolean;
  /** An object is replaced instead of merged. */
  readonly replace: boolean;
  readonly mergeKey: string | undefined;
}

const NO_FIELDS: ReadonlyMap<string, MergeSchema> = new Map();

/** Anything; maps and lists are wholes. What RawExtension and lists without items are. */
export const UNTYPED_ATOMIC: MergeSchema = {
  scalar: 'untyped',
  get list(): MergeList {
    return { type: 'atomic', keys: [], element: UNTYPED_ATOMIC };
  },
  get map(): MergeMap {
    return { atomic: true, fields: NO_FIELDS, element: UNTYPED_ATOMIC };
  },
};

const deducedList: MergeList = { type: 'atomic', keys: [], element: UNTYPED_ATOMIC };

/** Anything; the value tells: maps are granular, lists wholes. What unknown fields are. */
export const DEDUCED: MergeSchema = {
  scalar: 'untyped',
  list: deducedList,
  get map(): MergeMap {
    return deducedMap;
  },
};
const deducedMap: MergeMap = { atomic: false, fields: NO_FIELDS, element: DEDUCED };

/** Which of its shapes a schema has for a value; a value of none of them counts as the first shape there is. */
export type Shape = 'map' | 'scalar' | 'list' | 'none';

/** The shape of `value` where the schema has it, else the first shape that the schema has. */
export function shapeOf(schema: MergeSchema, value: JsonValue): Shape {
  if (typeof value !== 'object') {
    if (schema.scalar !== undefined) return 'scalar';
  } else if (value !== null) {
    if (Array.isArray(value)) {
      if (schema.list !== undefined) return 'list';
    } else if (schema.map !== undefined) return 'map';
  }
  if (schema.map !== undefined) return 'map';
  if (schema.scalar !== undefined) return 'scalar';
  return schema.list === undefined ? 'none' : 'list';
}

/** Schema of one key of a map; undefined when the key is not declared and others are not allowed. */
export function fieldSchema(map: MergeMap, key: string): MergeSchema | undefined {
  return map.fields.get(key) ?? map.element;
}
