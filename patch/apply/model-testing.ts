import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { MergeSchema } from '../merge-schema.ts';
import { ManagedObject, mergeSchema, testKind } from '../testing.ts';
import { pathTexts } from './fields-v1-at-once.ts';
import type { FieldSet } from './field-set.ts';

/**
 * Random kinds, random objects of them, random sequences of managers. The
 * model knows objects only as paths with values, without any of the code that
 * it checks.
 */
export type Shape =
  | { type: 'number' | 'whole' | 'place' }
  | { type: 'struct' | 'map' | 'set' | 'items'; of: Readonly<Record<string, Shape>> };

const NAMES = ['a', 'b', 'c'];
const KEYS = ['x', 'y', 'z'];

const shapes = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Shape>({ type: 'number' }, { type: 'whole' }, { type: 'place' }),
    fc.constant<Shape>({ type: 'set', of: {} }),
    fc.record({
      type: fc.constant('struct' as const),
      of: fc.dictionary(fc.constantFrom(...NAMES), tie('shape'), {
        minKeys: 1,
        noNullPrototype: true,
      }),
    }),
    fc.record({
      type: fc.constant('map' as const),
      of: fc.record({ value: tie('shape') }, { noNullPrototype: true }),
    }),
    fc.record({
      type: fc.constant('items' as const),
      of: fc.dictionary(fc.constantFrom(...NAMES), tie('shape'), { noNullPrototype: true }),
    }),
  ),
})).shape;
export const kinds = fc.dictionary(fc.constantFrom('p', 'q', 'r'), shapes, {
  minKeys: 1,
  noNullPrototype: true,
});

/** The schema of a shape, as a CRD would say it. */
function schemaOf(shape: Shape): JsonObject {
  switch (shape.type) {
    case 'number':
      return { type: 'integer' };
    case 'whole':
      return { type: 'array', items: { type: 'integer' } };
    case 'place':
      return {
        type: 'object',
        properties: { zone: { type: 'integer' } },
        'x-cluster-map-type': 'atomic',
      };
    case 'set':
      return { type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set' };
    case 'struct':
      return { type: 'object', properties: properties(shape.of) };
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(shape.of['value'] as Shape) };
    case 'items':
      return {
        type: 'array',
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' }, ...properties(shape.of) } },
      };
  }
}

/** The schema of objects whose spec has these fields. */
export function schemaOfKind(of: Readonly<Record<string, Shape>>): MergeSchema {
  return mergeSchema({ properties: properties(of) });
}

function properties(of: Readonly<Record<string, Shape>>): JsonObject {
  return Object.fromEntries(Object.entries(of).map(([name, shape]) => [name, schemaOf(shape)]));
}

/** An empty list cannot be owned, other than an empty object: rules about owners hold without them. */
export type Lists = 'any' | 'not empty';

/** Values of a shape; objects may be empty, atomic lists too. */
function valueOf(shape: Shape, lists: Lists): fc.Arbitrary<JsonValue> {
  const minLength = lists === 'any' ? 0 : 1;
  switch (shape.type) {
    case 'number':
      return fc.integer({ min: 0, max: 2 });
    case 'whole':
      return fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 2 });
    case 'place':
      return fc.record(
        { zone: fc.integer({ min: 0, max: 1 }) },
        { requiredKeys: [], noNullPrototype: true },
      );
    case 'set':
      return fc.uniqueArray(fc.constantFrom(...KEYS), { minLength });
    case 'struct':
      return partOf(shape.of, lists);
    case 'map':
      return fc.dictionary(fc.constantFrom(...KEYS), valueOf(shape.of['value'] as Shape, lists), {
        maxKeys: 2,
        noNullPrototype: true,
      });
    case 'items':
      return fc
        .uniqueArray(fc.constantFrom(...KEYS), { minLength, maxLength: 2 })
        .chain((keys) =>
          fc.tuple(...keys.map((k) => partOf(shape.of, lists).map((rest) => ({ k, ...rest })))),
        );
  }
}

function partOf(of: Readonly<Record<string, Shape>>, lists: Lists): fc.Arbitrary<JsonObject> {
  const fields = Object.fromEntries(
    Object.entries(of).map(([name, shape]) => [name, valueOf(shape, lists)]),
  );
  return fc.record(fields, {
    requiredKeys: [],
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonObject>;
}

export interface Step {
  manager: string;
  config: JsonObject;
  how: 'apply' | 'force' | 'update';
}

const managers = fc.constantFrom('alice', 'bob', 'carol');

export function stepsOf(
  kind: Readonly<Record<string, Shape>>,
  how: fc.Arbitrary<Step['how']>,
  lists: Lists = 'any',
): fc.Arbitrary<Step[]> {
  return fc.array(fc.record({ manager: managers, config: partOf(kind, lists), how }), {
    minLength: 1,
    maxLength: 8,
  });
}

/** What an object has, by path. */
interface Content {
  /** Every place with its value; objects, lists and items stand for themselves, whatever they hold. */
  readonly held: Map<string, JsonValue>;
  /** The places that an apply of it owns: leaves, items, keys of maps and empty objects. */
  readonly named: Set<string>;
}

function contentOf(fields: Readonly<Record<string, Shape>>, value: JsonObject): Content {
  const content: Content = { held: new Map(), named: new Set() };
  addFields(fields, value, '', content);
  return content;
}

function addFields(
  fields: Readonly<Record<string, Shape>>,
  value: JsonObject,
  path: string,
  content: Content,
): void {
  for (const [name, child] of Object.entries(value)) {
    addValue(fields[name] as Shape, child, `${path}.${name}`, content);
  }
}

function addValue(shape: Shape, value: JsonValue, path: string, content: Content): void {
  const { held, named } = content;
  assert.notEqual(value, null, `${path} is null, which no configuration says`);
  const isLeaf = shape.type === 'number' || shape.type === 'whole' || shape.type === 'place';
  held.set(path, isLeaf ? value : Array.isArray(value) ? 'a list' : 'an object');
  if (isLeaf || (isObject(value) && Object.keys(value).length === 0)) named.add(path);
  switch (shape.type) {
    case 'set':
      for (const item of value as string[]) {
        held.set(`${path}[="${item}"]`, item);
        named.add(`${path}[="${item}"]`);
      }
      return;
    case 'items':
      for (const { k, ...rest } of value as JsonObject[]) {
        const at = `${path}[k="${k as string}"]`;
        held.set(at, 'an item').set(`${at}.k`, k ?? null);
        named.add(at).add(`${at}.k`);
        addFields(shape.of, rest, at, content);
      }
      return;
    case 'map':
      for (const [key, child] of Object.entries(value as JsonObject)) {
        named.add(`${path}.${key}`);
        addValue(shape.of['value'] as Shape, child, `${path}.${key}`, content);
      }
      return;
    case 'struct':
      addFields(shape.of, value as JsonObject, path, content);
      return;
    case 'number':
    case 'whole':
    case 'place':
  }
}

export class Run {
  readonly kind: Readonly<Record<string, Shape>>;
  readonly o: ManagedObject;

  constructor(kind: Readonly<Record<string, Shape>>) {
    this.kind = kind;
    this.o = new ManagedObject(testKind(schemaOfKind(kind)));
  }

  get content(): Content {
    return this.contentOf((this.o.spec ?? {}) as JsonObject);
  }

  contentOf(config: JsonObject): Content {
    return contentOf(this.kind, config);
  }

  /** The places below spec that a manager owns. */
  owned(manager: string, operation = 'Apply'): Set<string> {
    const fields = this.o.owners[`${manager} ${operation}`] as FieldSet | undefined;
    const spec = fields?.['f:spec'];
    return new Set(spec === undefined ? [] : pathTexts(spec));
  }

  get allOwners(): [string, Set<string>][] {
    return this.o.entries.map(({ manager, operation }) => [
      `${manager ?? ''} ${operation ?? ''}`,
      this.owned(manager ?? '', operation),
    ]);
  }

  do({ manager, config, how }: Step): boolean {
    if (how === 'update') {
      this.o.update(manager, (object) => (object['spec'] = config));
      return true;
    }
    const outcome = this.o.tryApply(
      manager,
      Object.keys(config).length === 0 ? {} : { spec: config },
      { force: how === 'force' },
    );
    if (!outcome.ok) assert.equal(outcome.error.code, 409, outcome.error.message);
    return outcome.ok;
  }
}
