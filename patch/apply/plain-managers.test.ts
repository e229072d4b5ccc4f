import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson } from '../../api/json-write.ts';
import { deepClone, type JsonObject, type JsonValue } from '../../api/json.ts';
import { mergeSchema, testKind, V1 } from '../testing.ts';
import { kinds, schemaOfKind, stepsOf } from './model-testing.ts';
import { plainManagers } from './plain-managers.ts';
import { resetFieldsIn } from './reset-fields.ts';
import { updateManagers } from './update-managers-at-once.ts';
import type { PlainWrite } from './update-managers.ts';

const text = (entries: unknown): string => canonicalJson({ entries: entries as JsonValue });

/** What both ways make of a write, which neither changes; undefined: the plain way leaves it to the other. */
function made(write: PlainWrite): string | undefined {
  const before = deepClone({ live: write.live ?? null, next: write.next });
  const plain = plainManagers(write);
  if (plain !== undefined) assert.equal(text(plain), text(updateManagers(write)));
  assert.deepEqual({ live: write.live ?? null, next: write.next }, before);
  return plain && text(plain);
}

const object = (spec: JsonValue, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: V1,
  kind: 'App',
  metadata: { name: 'a', ...metadata },
  spec,
});
const withEntries = (next: JsonObject, write: PlainWrite): JsonObject => ({
  ...next,
  metadata: {
    ...(next['metadata'] as JsonObject),
    managedFields: updateManagers(write) as unknown as JsonValue,
  },
});

describe('managers of plain writes', () => {
  it('are byte for byte those of the general way, for random kinds, objects and sequences of writes', () => {
    const metadata = fc.record(
      {
        labels: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom('1', '2'), {
          noNullPrototype: true,
        }),
        finalizers: fc.uniqueArray(fc.constantFrom('f', 'g'), { minLength: 1 }),
        generation: fc.integer({ min: 1, max: 2 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    const scenario = kinds.chain((kind) =>
      fc.record({
        shapes: fc.constant(kind),
        steps: stepsOf(kind, fc.constant('update')),
        metadatas: fc.array(metadata, { minLength: 1 }),
        shown: fc.constantFrom<JsonObject>({}, { spec: {} }),
        reset: fc.constantFrom<string[][]>([], [['spec', 'r']], [['spec', 'p', 'a']]),
        carried: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(scenario, ({ shapes, steps, metadatas, shown, reset, carried }) => {
        const kind = testKind(schemaOfKind(shapes), {
          empty: { apiVersion: V1, kind: 'App', metadata: {}, ...shown },
          resetFields: resetFieldsIn([V1], reset),
        });
        let live: JsonObject | undefined;
        for (const [i, { manager, config }] of steps.entries()) {
          const bare = object(deepClone(config), metadatas[i % metadatas.length]);
          const next = carried && live !== undefined ? withEntriesOf(live, bare) : bare;
          const write = { kind, live, next, manager, now: 1000 * i };
          assert.notEqual(made(write), undefined);
          live = withEntries(bare, write);
        }
      }),
      { numRuns: 300 },
    );
  });

  /** A patch sends the entries that it has found. */
  function withEntriesOf(live: JsonObject, next: JsonObject): JsonObject {
    const { managedFields = [] } = deepClone(live['metadata'] as JsonObject);
    return { ...next, metadata: { ...(next['metadata'] as JsonObject), managedFields } };
  }

  const kind = testKind(
    mergeSchema({
      properties: {
        n: { type: 'integer' },
        any: { type: 'object', 'x-preserve-unknown-fields': true },
        set: { type: 'array', items: { type: 'string' }, 'x-cluster-list-type': 'set' },
      },
    }),
  );
  const write = (next: JsonObject, live?: JsonObject): PlainWrite => ({
    ...{ kind, live, next, manager: live === undefined ? 'm' : 'n', now: 0, carriesManagers: true },
  });
  const stored = (spec: JsonValue): JsonObject => withEntries(object(spec), write(object(spec)));

  it('are made for nulls, items that are there twice, and a value of another shape', () => {
    assert.ok(made(write(object({ n: null, set: ['a', 'a'] }))));
    assert.ok(made(write(object({ any: { a: [1] } }), stored({ any: { a: { b: 1 } } }))));
    assert.ok(made(write(object({ any: { a: 1n, b: 2 } }), stored({ any: { a: 1 } }))));
    assert.ok(made(write(object(null), stored({ n: 1 }))));
  });

  it('are left to the general way where that takes more', () => {
    const other = stored({ n: 1 });
    const entries = (other['metadata'] as JsonObject)['managedFields'] as JsonObject[];
    (entries[0] as JsonObject)['apiVersion'] = 'example.com/v0';
    const left = {
      'of an unknown field': write(object({ unknown: 1 })),
      'of a wrong type': write(object({ n: 'a' })),
      'of a value that gets a wrong type': write(object({ n: 'a' }), stored({ n: 1 })),
      'of an item that cannot be told apart': write(object({ set: [null] })),
      'of a field that was stored by another schema': write(object({}), {
        ...stored({ n: 1 }),
        spec: { unknown: 1 },
      }),
      'of a manager in another version': write(object({ n: 2 }), other),
      'of a create that says who owns what': write(stored({ n: 1 })),
    };
    for (const [what, one] of Object.entries(left)) assert.equal(made(one), undefined, what);
  });

  it('are none without any before, and after a reset', () => {
    assert.equal(made(write(object({ n: 2 }), object({ n: 1 }))), text([]));
    const reset = object({ n: 2 }, { managedFields: [{}] });
    assert.equal(made(write(reset, stored({ n: 1 }))), text([]));
  });
});
