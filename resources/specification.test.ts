import assert from 'node:assert/strict';
import type { StructuralSchema } from '../schema/structure/structural.ts';
import { builtinDefinitions } from './builtin.ts';
import { ALL_FEATURE_GATES } from './feature-gates.ts';
import { SPECIFIED } from './testing/specified-fields.ts';
import { servedVersion } from './testing/harness.ts';

const definitions = builtinDefinitions(ALL_FEATURE_GATES);

/** `int32!`, `[]string (atomic)`, `map[string]quantity`: the type, whether it is required, how it merges. */
function typeText(schema: StructuralSchema): string {
  const { typed, items, additionalProperties } = schema;
  const required = typed?.required === true ? '!' : '';
  if (typed?.kind === 'list' && items !== undefined) {
    const keys = schema.listMapKeys.length > 0 ? ` ${schema.listMapKeys.join(' ')}` : '';
    const merge = schema.listType === undefined ? '' : ` (${schema.listType}${keys})`;
    return `[]${typeText(items).replace('!', '')}${required}${merge}`;
  }
  if (typed?.kind === 'map' && typeof additionalProperties === 'object') {
    const merge = schema.mapType === undefined ? '' : ` (${schema.mapType})`;
    return `map[string]${typeText(additionalProperties)}${required}${merge}`;
  }
  return `${typed?.kind ?? 'unknown'}${required}`;
}

/** Every field below `path`, one line each; structs are followed by their fields. */
function lines(schema: StructuralSchema, path: string): string[] {
  const inner = schema.typed?.kind === 'list' ? schema.items : schema;
  return [...(inner?.properties ?? [])].flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [`${at} ${typeText(field)}`, ...lines(field, at)];
  });
}

function fieldsOf(kind: string): string[] {
  const definition = definitions.find(({ names }) => names.kind === kind);
  assert.ok(definition, kind);
  return lines(servedVersion(definition).schema(), '').filter(
    (line) => !/^(apiVersion|kind|metadata)\b/.test(line),
  );
}

/** Every field of every type in a schema; a type that is used in several places is seen in one. */
function eachField(
  schema: StructuralSchema,
  visit: (path: string, s: StructuralSchema) => void,
): void {
  const seen = new Set<StructuralSchema['properties']>();
  const walk = (s: StructuralSchema, path: string): void => {
    const isNew = !seen.has(s.properties);
    seen.add(s.properties);
    for (const [name, field] of isNew ? (s.properties ?? []) : []) {
      visit(`${path}.${name}`, field);
      walk(field, `${path}.${name}`);
    }
    if (s.items !== undefined) walk(s.items, `${path}[]`);
  };
  walk(schema, '');
}

describe('the fields of the specification', () => {
  for (const [kind, text] of Object.entries(SPECIFIED)) {
    it(`${kind} has them all, with types and merge annotations, and no others`, () => {
      const wanted = text
        .trim()
        .split('\n')
        .map((line) => line.trim());
      assert.deepEqual(fieldsOf(kind).sort(), wanted.sort());
    });
  }
});

describe('every built-in kind', () => {
  for (const definition of definitions) {
    const { names, strategy } = definition;
    const version = servedVersion(definition);

    describe(names.kind, () => {
      it('describes itself and each of its fields', () => {
        assert.notEqual(version.schema().typed?.description, '');
        eachField(version.schema(), (path, field) => {
          const { description } = field.typed!;
          assert.match(description, /^[A-Z`].*[.`:]$/s, path);
        });
      });

      it('begins its table with the name, and says what each column holds', () => {
        const names = version.columns.map((column) => column.name);
        assert.ok(names.includes('Name'));
        assert.equal(new Set(names).size, names.length);
        for (const column of version.columns) assert.notEqual(column.description, '', column.name);
      });

      it('merges lists by keys that its items require', () => {
        eachField(version.schema(), (path, { listType, listMapKeys, items, typed }) => {
          if (typed?.kind === 'list') assert.notEqual(items, undefined, path);
          if (listType !== 'map') return;
          for (const key of listMapKeys) assert.ok(items?.properties?.has(key), `${path} ${key}`);
          if (typed?.patchStrategy === undefined) return;
          assert.equal(typed.patchMergeKey, listMapKeys[0], path);
        });
      });

      it('has a plural, a singular and a list of its name', () => {
        assert.equal(names.singular, names.kind.toLowerCase());
        assert.equal(names.listKind, `${names.kind}List`);
        assert.match(names.plural, /^[a-z]+s$/);
      });

      it('resets in each way to update what the other way writes', () => {
        if (version.subresources.status === undefined) return;
        assert.deepEqual(strategy.resetFields, [['status']]);
        assert.deepEqual(version.subresources.status.resetFields?.[0], ['spec']);
      });
    });
  }

  it('is served once', () => {
    const keys = definitions.map(({ group, names }) => `${names.plural}.${group}`);
    assert.equal(new Set(keys).size, keys.length);
  });

  it('is not served without its gate when it is alpha: DeviceClass', () => {
    const closed = builtinDefinitions({ ...ALL_FEATURE_GATES, DynamicResourceAllocation: false });
    const missing = definitions.filter(
      ({ names }) => !closed.some((d) => d.names.kind === names.kind),
    );
    assert.deepEqual(
      missing.map(({ names }) => names.kind),
      ['DeviceClass'],
    );
  });
});
