import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fieldErrorText, type FieldError } from '../../api/field-error.ts';
import { atOnce } from '../../api/steps.ts';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { applyDefaults } from '../default.ts';
import { schemaFromJson } from '../from-json.ts';
import { anyJson, resource } from '../testing/arbitraries.ts';
import { check, mentions, refuses, summary } from '../testing/checks.ts';
import { MAX_FIELD_ERRORS } from './run.ts';
import { resourceSteps, validateResource, validateValue } from './validate.ts';

describe('validation of generated schemas', () => {
  it('accepts valid values, with defaults filled in', () => {
    fc.assert(
      fc.property(resource, ({ schema: json, value }) => {
        const schema = schemaFromJson(json);
        applyDefaults(value, schema);
        assert.deepEqual(validateResource(value, schema), []);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the same in steps as at once, for any JSON, with and without an old value', () => {
    const sorted = (errors: readonly FieldError[]): string[] => errors.map(fieldErrorText).sort();
    fc.assert(
      fc.property(resource, anyJson, anyJson, (sample, junk, oldJunk) => {
        const schema = schemaFromJson(sample.schema);
        const object: JsonObject = { ...sample.value, spec: junk };
        for (const before of [sample.value['spec'] as JsonValue, oldJunk, junk]) {
          const options = { old: { ...sample.value, spec: before } };
          const atOneGo = validateResource(object, schema, options);
          assert.deepEqual(sorted(atOnce(resourceSteps(object, schema, options))), sorted(atOneGo));
        }
        assert.deepEqual(
          sorted(atOnce(resourceSteps(object, schema))),
          sorted(validateResource(object, schema)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('reports errors at places that exist, or whose parent does', () => {
    fc.assert(
      fc.property(resource, anyJson, (sample, junk) => {
        const schema = schemaFromJson(sample.schema);
        const object: JsonObject = { ...sample.value, spec: junk };
        for (const { path, type } of validateResource(object, schema)) {
          if (path === '') continue;
          const steps = path.split(/\.|\[/).map((s) => s.replace(/\]$/, ''));
          if (type === 'FieldValueRequired') steps.pop();
          assert.notEqual(valueAt(object, steps), undefined, path);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('refuses a value of another type, exactly there', () => {
    fc.assert(
      fc.property(resource, fc.nat(), ({ schema: json, value }, pick) => {
        const schema = schemaFromJson(json);
        const leaves = scalarLeaves(value['spec'] as JsonValue, ['spec']);
        const leaf = leaves[pick % Math.max(1, leaves.length)];
        fc.pre(leaf !== undefined && !mentions(json, 'preserve-unknown'));
        const path = leaf.reduce<string>(
          (p, s) => (typeof s === 'number' ? `${p}[${s}]` : p === '' ? s : `${p}.${s}`),
          '',
        );
        setAt(value, leaf, { wrong: true });
        const errors = validateResource(value, schema);
        assert.ok(
          errors.some((e) => e.type === 'FieldValueTypeInvalid' && e.path === path),
          `${path}: ${JSON.stringify(summary(errors))}`,
        );
      }),
      { numRuns: 300 },
    );
  });
});

function valueAt(value: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const step of steps) {
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}
function scalarLeaves(value: JsonValue, path: (string | number)[]): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return Array.isArray(value)
    ? value.flatMap((item, i) => scalarLeaves(item, [...path, i]))
    : Object.keys(value).flatMap((key) => scalarLeaves(value[key] as JsonValue, [...path, key]));
}
function setAt(value: JsonValue, path: readonly (string | number)[], to: JsonValue): void {
  const last = path[path.length - 1]!;
  let at = value as Record<string | number, JsonValue>;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, JsonValue>;
  Object.defineProperty(at, last, {
    value: to,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

describe('validation of hostile input', () => {
  it('reports a bounded number of errors', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const value = Array.from({ length: 100_000 }, () => 1);
    assert.equal(check(list, value).length, MAX_FIELD_ERRORS);
    const set = schemaFromJson({ ...list, 'x-cluster-list-type': 'set' });
    const many = Array.from({ length: 50_000 }, (_, i) => String(i >> 1));
    assert.ok(
      validateResource({ l: many }, schemaFromJson({ properties: { l: {} } })).length === 0,
    );
    assert.ok(validateValue(many, set).length === 0);
  });

  it('stops when alternatives multiply, and says so, on update too', () => {
    const anyOf = Array.from({ length: 1000 }, (_, i) => ({ minimum: 1000 - i }));
    const list = { type: 'array', items: { type: 'integer', anyOf } };
    const values = Array.from({ length: 100_000 }, () => 1);
    assert.deepEqual(check(list, values), ['Invalid <nil>']);
    assert.deepEqual(check(list, values, values), ['Invalid <nil>']);
  });

  it('matches catastrophic patterns in linear time', () => {
    const text = `${'a'.repeat(50_000)}!`;
    refuses({ type: 'string', pattern: '^(a+)+$' }, ['Invalid f'], text);
    refuses({ type: 'string', pattern: '(x+x+)+y' }, ['Invalid f'], 'x'.repeat(50_000));
  });
});
