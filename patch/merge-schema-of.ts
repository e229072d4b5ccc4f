import type { JsonValue } from '../api/json.ts';
import { ObjectMeta } from '../schema/object-meta.ts';
import type { StructuralSchema } from '../schema/structure/structural.ts';
import {
  DEDUCED,
  UNTYPED_ATOMIC,
  type ListKey,
  type MergeList,
  type MergeMap,
  type MergeSchema,
  type PatchStrategy,
  type ScalarType,
} from './merge-schema.ts';

/**
 * How objects of a kind merge: the view of its schema that apply and strategic
 * merge patch work with. `schema` is the root of a built-in kind or of a
 * version of a custom resource; apiVersion, kind and metadata are added where
 * the schema of a custom resource does not say them. Views are made when they
 * are first looked at and kept as long as their schema.
 */
export function mergeSchemaOf(schema: StructuralSchema): MergeSchema {
  return view(schema, { preserve: false, object: schema.typed === undefined });
}

interface Place {
  /** Somewhere above unknown fields are preserved: unlike pruning, merging never stops to do so. */
  readonly preserve: boolean;
  /** An object of the API: the root, or an embedded resource. */
  readonly object: boolean;
}

type Cache = WeakMap<StructuralSchema, View>;
const caches: readonly Cache[] = Array.from({ length: 4 }, () => new WeakMap());

function view(schema: StructuralSchema, place: Place): MergeSchema {
  const whole = wholeView(schema);
  if (whole !== undefined) return whole;
  const cache = caches[(place.preserve ? 1 : 0) + (place.object ? 2 : 0)] as Cache;
  let made = cache.get(schema);
  if (made === undefined) {
    made = new View(schema, place);
    cache.set(schema, made);
  }
  return made;
}

/** Types of built-in kinds that hold any JSON: of a RawExtension nothing is known, of JSON what the value tells. */
function wholeView(schema: StructuralSchema): MergeSchema | undefined {
  switch (schema.typed?.kind) {
    case 'raw':
      return UNTYPED_ATOMIC;
    case 'json':
    case 'union':
      return DEDUCED;
    default:
      return undefined;
  }
}

class View implements MergeSchema {
  readonly scalar: ScalarType | undefined;
  readonly strategy: PatchStrategy | undefined;
  readonly #schema: StructuralSchema;
  readonly #place: Place;
  #map: MergeMap | undefined;
  #list: MergeList | undefined;

  constructor(schema: StructuralSchema, place: Place) {
    this.#schema = schema;
    this.#place = {
      preserve: place.preserve || schema.preserveUnknown,
      object: place.object || schema.embedded,
    };
    this.scalar = scalarOf(schema);
    this.strategy = strategyOf(schema);
  }

  get map(): MergeMap | undefined {
    if (!mayBe(this.#schema, 'object')) return undefined;
    return (this.#map ??= this.#makeMap());
  }

  get list(): MergeList | undefined {
    if (!mayBe(this.#schema, 'array')) return undefined;
    return (this.#list ??= this.#makeList());
  }

  #below(schema: StructuralSchema): MergeSchema {
    return view(schema, { preserve: this.#place.preserve, object: false });
  }

  #makeMap(): MergeMap {
    const fields = new Map<string, MergeSchema>();
    for (const [name, schema] of this.#schema.properties ?? [])
      fields.set(name, this.#below(schema));
    if (this.#place.object) {
      for (const name of ['apiVersion', 'kind']) fields.set(name, STRING);
      fields.set('metadata', metadata());
    }
    return {
      atomic: this.#schema.mapType === 'atomic',
      fields,
      element: this.#element(fields.size === 0),
    };
  }

  /** An object of which no field is known is free-form, whether or not it says so. */
  #element(noFields: boolean): MergeSchema | undefined {
    const { additionalProperties } = this.#schema;
    if (additionalProperties === undefined) {
      return this.#place.preserve || noFields ? DEDUCED : undefined;
    }
    if (typeof additionalProperties === 'object') return this.#below(additionalProperties);
    return additionalProperties ? DEDUCED : undefined;
  }

  #makeList(): MergeList {
    const { items } = this.#schema;
    const element = items === undefined ? UNTYPED_ATOMIC : this.#below(items);
    const { type, keys } = listTypeOf(this.#schema);
    const sorted = [...keys].sort();
    return { type, keys: sorted.map((name) => listKey(items, name)), element };
  }
}

/** Without a type everything goes, save for the integer or string of a built-in kind. */
function mayBe({ type, typed }: StructuralSchema, wanted: 'object' | 'array'): boolean {
  return type === wanted || (type === '' && typed?.kind !== 'intOrString');
}

const STRING: MergeSchema = { scalar: 'string' };

/** Metadata of every kind: labels by key, finalizers a set, each ownerReference a whole (behaviours 5.12). */
function metadata(): MergeSchema {
  return view(ObjectMeta, { preserve: false, object: false });
}

function scalarOf(schema: StructuralSchema): ScalarType | undefined {
  switch (schema.type) {
    case '':
      return 'untyped';
    case 'integer':
    case 'number':
      return 'numeric';
    case 'boolean':
      return 'boolean';
    case 'string': {
      // a text with a format may also be written as a number: a quantity, a time
      const format = schema.keywords?.format ?? '';
      const plain = (format === '' || format === 'byte') && schema.typed?.kind !== 'quantity';
      return plain ? 'string' : 'untyped';
    }
    case 'array':
    case 'object':
      return undefined;
  }
}

/** A map list of a definition is merged by its first key: the one that clients compare items by. */
function strategyOf({ typed, listType, listMapKeys }: StructuralSchema): PatchStrategy | undefined {
  if (typed === undefined && listType === 'map') {
    return { merge: true, replace: false, mergeKey: listMapKeys[0] };
  }
  if (typed?.patchStrategy === undefined) return undefined;
  const words = typed.patchStrategy.split(',');
  return {
    merge: words.includes('merge'),
    replace: words.includes('replace'),
    mergeKey: typed.patchMergeKey,
  };
}

/** Without a list type the patch strategy of a built-in kind's field tells; otherwise lists are wholes. */
function listTypeOf(
  schema: StructuralSchema,
): Pick<MergeList, 'type'> & { keys: readonly string[] } {
  if (schema.listType === 'map') return { type: 'map', keys: schema.listMapKeys };
  if (schema.listType !== undefined) return { type: schema.listType, keys: [] };
  const strategy = strategyOf(schema);
  if (strategy?.merge !== true) return { type: 'atomic', keys: [] };
  return strategy.mergeKey === undefined
    ? { type: 'set', keys: [] }
    : { type: 'map', keys: [strategy.mergeKey] };
}

/** Keys of built-in kinds that must be given stand for their zero value when they are not. */
function listKey(items: StructuralSchema | undefined, name: string): ListKey {
  const property = items?.properties?.get(name);
  const typed = property?.typed;
  const zero = typed?.required === true && !typed.pointer ? zeroOf(property?.type) : undefined;
  return {
    name,
    quoted: JSON.stringify(name),
    default: property?.default ?? typed?.publishedDefault ?? zero,
  };
}

function zeroOf(type: StructuralSchema['type'] | undefined): JsonValue | undefined {
  switch (type) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return undefined;
  }
}
