import assert from 'node:assert/strict';
import fc from 'fast-check';
import { apiObjectOf, type ApiObject } from '../api/object.ts';
import { getPath, scalarText, type JsonObject, type JsonValue } from '../api/json.ts';
import { escapeFieldValue } from '../api/selectors/fields.ts';
import { revisionOf } from '../api/revision.ts';
import { filterPredicate } from '../query/filter.ts';
import { valueAt } from '../query/read-path.ts';
import { resolvePath } from '../query/resolve-path.ts';
import { parseValuePath, type ValuePath } from '../query/value-path.ts';
import { applyDefaults } from '../schema/default.ts';
import { decodeMetadata } from '../schema/metadata.ts';
import { needsWork } from '../schema/needs-work.ts';
import { prune } from '../schema/prune.ts';
import { StructuralSchema } from '../schema/structure/structural.ts';
import { encodeStored } from '../storage/stored-bytes.ts';
import { Entry } from '../watch/entry.ts';
import { noneConverter } from './conversion.ts';
import { selectionOf } from './selection.ts';
import { servedResource, type ServedResource } from './served-resource.ts';
import { shownValue } from './shown-value.ts';
import { Views } from './views.ts';

const node = (init: ConstructorParameters<typeof StructuralSchema>[0]): StructuralSchema =>
  new StructuralSchema(init);
const objectOf = (
  fields: Record<string, StructuralSchema>,
  more: ConstructorParameters<typeof StructuralSchema>[0] = {},
): StructuralSchema =>
  node({ type: 'object', properties: new Map(Object.entries(fields)), ...more });

const text = node({ type: 'string' });
const LEAVES = {
  plain: text,
  nullable: node({ type: 'integer', nullable: true }),
  preset: node({ type: 'string', default: 'preset' }),
};
const SCHEMA = objectOf({
  spec: objectOf({
    ...LEAVES,
    inner: objectOf(LEAVES, { default: {} }),
    free: objectOf(LEAVES, { preserveUnknown: true }),
    map: node({ type: 'object', additionalProperties: text }),
    embedded: objectOf({ plain: text, metadata: objectOf({ name: text }) }, { embedded: true }),
  }),
});

const DECLARED = ['spec.plain', 'spec.nullable', 'spec.inner.preset', 'spec.map.odd'];

/** A custom kind that is refreshed by its schema, in two versions of which the first is stored. */
function resourceOf(version: 'v1' | 'v2'): ServedResource {
  const codec = {
    needsRefresh: (object: ApiObject) => needsWork(object, SCHEMA),
    refresh(object: ApiObject) {
      decodeMetadata(object, SCHEMA, { isRoot: true, dropInvalid: true });
      prune(object, SCHEMA, { isRoot: true });
      applyDefaults(object, SCHEMA);
    },
    trimConverted: (object: ApiObject) => prune(object, SCHEMA, { isRoot: true }),
  };
  const selectableFields = new Map(
    DECLARED.map((field) => [
      field,
      (object: ApiObject) => scalarText(getPath(object, ...field.split('.'))) ?? '',
    ]),
  );
  const versions = ['v1', 'v2'].map((name) => ({
    name,
    codec,
    schema: () => SCHEMA,
    selectableFields,
  }));
  const definition: any = {
    builtin: false,
    group: 'example.com',
    names: { plural: 'things', kind: 'Thing' },
    custom: { group: 'example.com' },
    storageVersion: 'v1',
    versions,
  };
  return servedResource(definition, versions.find(({ name }) => name === version) as any);
}

const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 0, 7, 1.5, -3, 12345678901234567890n, '', 'x"y', 'ü\\'),
  fc.constantFrom<JsonValue>({}, { plain: 'deep', odd: 1 }, ['plain']),
  fc.string({ maxLength: 90 }),
);
const metadata = fc.constantFrom<JsonValue>({ name: 'x' }, { name: 5 }, { name: ['x'] });
const KEYS = ['plain', 'nullable', 'preset', 'odd'];
const level = fc.dictionary(fc.constantFrom(...KEYS), leaf, { maxKeys: 4 });
const spec: fc.Arbitrary<JsonObject> = fc
  .tuple(
    level,
    fc.dictionary(fc.constantFrom('inner', 'free', 'map'), fc.oneof(level, leaf)),
    fc.record({ embedded: fc.record({ metadata, plain: leaf }) }, { requiredKeys: [] }),
  )
  .map(([leaves, objects, embedded]) => ({ ...leaves, ...objects, ...embedded }));

const PATHS = [
  'metadata.name',
  'metadata.annotations.plain',
  'apiVersion',
  'spec.embedded.metadata.name',
  ...['spec', 'spec.inner', 'spec.free', 'spec.map', 'spec.embedded'].flatMap((before) =>
    KEYS.map((key) => `${before}.${key}`),
  ),
];

/** What expressions do with parts of an object; the types are those of the values, not of the schema. */
const FILTERS = [
  ...['spec', 'spec.inner', 'spec.free'].flatMap((before) => [
    `dyn(object.${before}.plain) == 'x"y'`,
    `dyn(object.${before}.nullable) == null`,
    `dyn(object.${before}.nullable) == 7`,
    `dyn(object.${before}.nullable) == 12345678901234567890.0`,
    `dyn(object.${before}.nullable) == 1.5`,
    `object.${before}.preset == 'preset'`,
    `has(object.${before}.plain)`,
    `!has(object.${before}.nullable)`,
    `type(dyn(object.${before}.plain)) == list`,
    `dyn(object.${before}).size() == 2`,
    `dyn(object.${before}) == dyn({'preset': 'preset', 'plain': 'ü\\\\'})`,
    `dyn(object.${before}).exists(key, key == 'nullable')`,
    `'plain' in dyn(object.${before})`,
  ]),
  `object.spec.map.odd == 'ü\\\\'`,
  `'odd' in object.spec.map`,
  `object.spec.embedded.metadata.name == 'x'`,
  `object.metadata.name == 'a'`,
  `object.metadata.annotations.plain == '}'`,
  `object.metadata.annotations['spec'] == '"spec":{'`,
  `object.metadata.annotations.size() == 2`,
  `object.kind == 'Thing' && object.apiVersion == 'example.com/v2'`,
];

function pathOf(written: string): ValuePath {
  const parsed = parseValuePath(written);
  if ('error' in parsed) assert.fail(parsed.error);
  return parsed.path;
}

describe('single values of custom resources, read from their bytes', () => {
  it('are those of the objects pruned and defaulted, in any version (property)', async () => {
    const views = new Views(noneConverter);
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.record({ spec: fc.oneof(spec, leaf) }, { requiredKeys: [] }),
        fc.constantFrom('v1', 'v2'),
        fc.constantFrom('v1', 'v2'),
        fc.dictionary(fc.constantFrom('plain', 'spec'), fc.constantFrom('"spec":{', '}', '\\')),
        fc.constantFrom(...PATHS),
        async (content, stored, asked, annotations, selectedBy) => {
          const object = apiObjectOf({
            apiVersion: `example.com/${stored}`,
            kind: 'Thing',
            metadata: { name: 'a', annotations },
            ...content,
          });
          const bytes = encodeStored(object);
          const fresh = (): Entry => Entry.fromStored('a', bytes, revisionOf(3n));
          const resource = resourceOf(asked);
          const whole = await views.object(resource, fresh());
          for (const written of PATHS) {
            const path = pathOf(written);
            const expected = valueAt(whole, path);
            const found = shownValue(views, resource, path)(fresh());
            const single = (value: JsonValue | undefined): JsonValue | undefined =>
              typeof value === 'object' ? undefined : value;
            assert.equal(single(found), single(expected), `${written} of ${bytes.toString()}`);
            if (single(found) !== undefined) seen.add(written);
            if (
              written !== selectedBy ||
              'error' in resolvePath(SCHEMA, path) ||
              /^(api|metadata.name)/.test(written)
            )
              continue;
            const has = scalarText(expected) ?? '';
            const target = { resource, namespace: '', name: '' };
            for (const value of new Set([has, '', '7', 'preset'])) {
              for (const operator of ['=', '!=']) {
                const fieldSelector = `${written}${operator}${escapeFieldValue(value)}`;
                const asked = { labelSelector: '', fieldSelector, filter: '' };
                const selection = selectionOf(views, target, asked);
                const expects = (has === value) === (operator === '=');
                assert.equal(selection.matches(fresh()), expects, fieldSelector);
                const [term] = selection.terms ?? [];
                if (term === undefined) continue;
                const indexed = (): string => term.source.read(fresh()) ?? '';
                const isTree = typeof expected === 'object' && !DECLARED.includes(written);
                if (isTree) assert.throws(indexed, /more than one value/);
                else assert.equal(indexed(), has, `the index of ${written}`);
              }
            }
          }
        },
      ),
      { numRuns: 400 },
    );
    for (const path of ['spec.preset', 'spec.inner.preset', 'spec.free.odd', 'spec.map.odd']) {
      assert.ok(seen.has(path), `${path} never had a value`);
    }
    assert.ok(!seen.has('spec.odd'), 'what is pruned has no value');
  });

  it('are read without parsing the object, where its stored bytes tell', () => {
    const views = new Views(noneConverter);
    const resource = resourceOf('v1');
    const object = apiObjectOf({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a' },
      spec: { plain: 'x', preset: 'y' },
    });
    const entry = Entry.fromStored('a', encodeStored(object), revisionOf(3n));
    entry.object = () => assert.fail('the object is parsed');
    for (const [path, value] of [
      ['spec.plain', 'x'],
      ['spec.preset', 'y'],
      ['spec.nullable', undefined],
      ['metadata.name', 'a'],
    ] as const) {
      assert.equal(shownValue(views, resource, pathOf(path))(entry), value);
    }
  });
});

describe('filters of custom resources, read from their bytes', () => {
  it('answer as they do of the objects pruned and defaulted, in any version (property)', async () => {
    const views = new Views(noneConverter);
    const verdicts = new Set<string>();
    const target = (resource: ServedResource) => ({ resource, namespace: '', name: '' });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ spec: fc.oneof(spec, leaf) }, { requiredKeys: [] }),
        fc.constantFrom('v1', 'v2'),
        fc.constantFrom('v1', 'v2'),
        fc.dictionary(fc.constantFrom('plain', 'spec'), fc.constantFrom('"spec":{', '}', '\\')),
        fc.constantFrom(...FILTERS),
        async (content, stored, asked, annotations, filter) => {
          const object = apiObjectOf({
            apiVersion: `example.com/${stored}`,
            kind: 'Thing',
            // empty annotations are never stored
            metadata: { name: 'a', ...(Object.keys(annotations).length > 0 && { annotations }) },
            ...content,
          });
          const bytes = encodeStored(object);
          const entry = Entry.fromStored('a', bytes, revisionOf(3n));
          const resource = resourceOf(asked);
          const whole = await views.object(resource, Entry.fromStored('a', bytes, revisionOf(3n)));
          const selected = selectionOf(views, target(resource), {
            ...{ labelSelector: '', fieldSelector: '', filter },
          }).matches(entry);
          const expected = filterPredicate(filter, SCHEMA, false).matches(whole);
          assert.equal(selected, expected, `${filter} of ${bytes.toString()}`);
          verdicts.add(`${filter} ${expected}`);
        },
      ),
      { numRuns: 4_000 },
    );
    const held = FILTERS.filter((filter) => verdicts.has(`${filter} true`));
    assert.ok(held.length > FILTERS.length / 2, `${held.length} of ${FILTERS.length} ever hold`);
  });

  it('are answered without parsing the object, where its stored bytes tell', () => {
    const object = apiObjectOf({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a', labels: { tier: 'gold' } },
      spec: { plain: 'x', inner: { preset: 'y' } },
    });
    const entry = Entry.fromStored('a', encodeStored(object), revisionOf(3n));
    entry.object = () => assert.fail('the object is parsed');
    const target = { resource: resourceOf('v1'), namespace: '', name: '' };
    const filter =
      "object.spec.plain == 'x' && object.spec.inner.preset == 'y' && !has(object.spec.nullable) && object.metadata.labels.tier == 'gold'";
    const selection = selectionOf(new Views(noneConverter), target, {
      ...{ labelSelector: '', fieldSelector: '', filter },
    });
    assert.ok(selection.matches(entry));
  });
});
