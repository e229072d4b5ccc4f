import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { schemaFromJson } from '../../schema/from-json.ts';
import { mergeSchemaOf } from '../merge-schema-of.ts';
import { ManagedObject, testKind } from '../testing.ts';
import { pathTexts } from './fields-v1.ts';
import type { FieldSet } from './field-set.ts';

/**
 * Random kinds, random objects of them, random sequences of managers. The
 * model knows objects only as leaves: paths with values, without any of the
 * code that it checks.
 */
export type Shape =
  | { type: 'number' | 'whole' }
  | { type: 'struct' | 'map' | 'set' | 'items'; of: Readonly<Record<string, Shape>> };

const NAMES = ['a', 'b', 'c'];
const KEYS = ['x', 'y', 'z'];

const shapes = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Shape>({ type: 'number' }, { type: 'whole' }),
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

function properties(of: Readonly<Record<string, Shape>>): JsonObject {
  return Object.fromEntries(Object.entries(of).map(([name, shape]) => [name, schemaOf(shape)]));
}

/** Values of a shape; never empty ones, which have rules (and tests) of their own. */
function valueOf(shape: Shape): fc.Arbitrary<JsonValue> {
  switch (shape.type) {
    case 'number':
      return fc.integer({ min: 0, max: 2 });
    case 'whole':
      return fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 2 });
    case 'set':
      return fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1 });
    case 'struct':
      return someOf(shape.of);
    case 'map':
      return fc.dictionary(fc.constantFrom(...KEYS), valueOf(shape.of['value'] as Shape), {
        minKeys: 1,
        maxKeys: 2,
        noNullPrototype: true,
      });
    case 'items':
      return fc
        .uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 2 })
        .chain((keys) =>
          fc.tuple(...keys.map((k) => partOf(shape.of).map((rest) => ({ k, ...rest })))),
        );
  }
}

function partOf(of: Readonly<Record<string, Shape>>): fc.Arbitrary<JsonObject> {
  const fields = Object.fromEntries(
    Object.entries(of).map(([name, shape]) => [name, valueOf(shape)]),
  );
  return fc.record(fields, {
    requiredKeys: [],
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonObject>;
}

function someOf(of: Readonly<Record<string, Shape>>): fc.Arbitrary<JsonObject> {
  return partOf(of).filter((value) => Object.keys(value).length > 0);
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
): fc.Arbitrary<Step[]> {
  return fc.array(fc.record({ manager: managers, config: partOf(kind), how }), {
    minLength: 1,
    maxLength: 8,
  });
}

/** Every leaf of a value by its path; items and keys of maps are places of their own. */
function leavesOf(
  shape: Shape | Readonly<Record<string, Shape>>,
  value: JsonValue,
  path = '',
  out = new Map<string, JsonValue>(),
): Map<string, JsonValue> {
  const { type, of } = (
    'type' in shape && typeof shape.type === 'string' ? shape : { type: 'struct', of: shape }
  ) as Exclude<Shape, { type: 'number' | 'whole' }>;
  // out of which everything was given up while somebody still owned it as a whole
  if (value === null) return out;
  if (type === 'set') for (const item of value as string[]) out.set(`${path}[="${item}"]`, item);
  else if (type === 'items') {
    for (const item of value as JsonObject[]) {
      const at = `${path}[k="${item['k'] as string}"]`;
      out.set(at, 'item').set(`${at}.k`, item['k'] ?? null);
      const { k: _key, ...rest } = item;
      leavesOf(of, rest, at, out);
    }
  } else if (isObject(value)) {
    for (const [name, child] of Object.entries(value)) {
      const below = type === 'map' ? (of['value'] as Shape) : (of[name] as Shape);
      if (type === 'map') out.set(`${path}.${name}`, 'key');
      leavesOf(below, child, `${path}.${name}`, out);
    }
  } else out.set(path, value);
  if (Array.isArray(value) && (type as string) === 'whole') out.set(path, value);
  return out;
}

export class Run {
  readonly kind: Readonly<Record<string, Shape>>;
  readonly o: ManagedObject;

  constructor(kind: Readonly<Record<string, Shape>>) {
    this.kind = kind;
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: properties(kind) } },
    };
    this.o = new ManagedObject(testKind(mergeSchemaOf(schemaFromJson(schema))));
  }

  /** Leaves of the object. */
  get leaves(): Map<string, JsonValue> {
    return leavesOf(this.kind, (this.o.spec ?? {}) as JsonValue);
  }

  leavesOf(config: JsonObject): Map<string, JsonValue> {
    return leavesOf(this.kind, config);
  }

  /** What a manager owns, without the structs that updates own on the way. */
  owned(manager: string, operation = 'Apply'): Set<string> {
    const fields = this.o.owners[`${manager} ${operation}`] as FieldSet | undefined;
    const spec = fields?.['f:spec'];
    return new Set(spec === undefined ? [] : pathTexts(spec));
  }

  get everybody(): [string, Set<string>][] {
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
