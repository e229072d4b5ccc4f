import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FieldPath } from '../../api/field-path.ts';
import type { JsonObject } from '../../api/json.ts';
import { resource } from '../testing/arbitraries.ts';
import { STRING, wrongWith, wrongWithField } from '../testing/wrong-with.ts';
import { cpuMs, scaled } from '../../test/support/cpu.ts';
import { atOnce, type Steps } from '../../api/steps.ts';
import { RuleChecker } from '../rules/checker.ts';
import { checkSchema, checkSchemaSteps } from './check.ts';
import { MAX_SCHEMA_DEPTH } from './limits.ts';
import { MAX_SCHEMA_ERRORS } from './report.ts';
import { schemaWarnings } from './warnings.ts';

const named = (count: number, schema: () => JsonObject): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, schema()]));

function stepsOf(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count++;
  return count;
}

describe('checkSchema: bounds', () => {
  it('refuses schemas that are too deep, without overflowing', () => {
    let deep: JsonObject = STRING;
    for (let i = 0; i < 400; i++) deep = { type: 'object', properties: { a: deep } };
    const errors = checkSchema(deep, FieldPath.of('$'), { hasStatus: false });
    assert.match(errors[0]?.detail ?? '', new RegExp(`deeper than ${MAX_SCHEMA_DEPTH}`));
    assert.equal(errors.length, 1);
  });

  it('reports a bounded number of errors', () => {
    const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, {}]));
    assert.equal(wrongWith({ type: 'object', properties }).length, MAX_SCHEMA_ERRORS);
  });

  it('looks a node up once for all rules that name fields of it', () => {
    const properties = named(1_000, () => STRING);
    const validations = Array.from({ length: 500 }, () => ({ rule: 'true', fieldPath: '.f1' }));
    const schema = { type: 'object', properties, 'x-cluster-validations': validations };
    const steps = stepsOf(checkSchemaSteps(schema, FieldPath.of('$'), { hasStatus: false }));
    // below allOf a node is not built with the schema around it
    const alternative = { type: 'object', allOf: [schema] };
    const below = checkSchemaSteps(alternative, FieldPath.of('$'), { hasStatus: false });
    assert.ok(steps < 10_000, String(steps));
    assert.ok(stepsOf(below) < 20_000);
  });

  it('is done in steps, at least one for each schema, rule, default and pattern', () => {
    const check = (more: JsonObject): number => {
      const properties = named(100, () => ({ type: 'string', ...more }));
      const rules = new RuleChecker();
      return stepsOf(
        checkSchemaSteps({ type: 'object', properties }, FieldPath.of('$'), {
          ...{ hasStatus: false, rules },
        }),
      );
    };
    const plain = check({});
    assert.ok(plain >= 300, String(plain));
    assert.ok(check({ pattern: 'a' }) >= plain + 200);
    assert.ok(check({ default: 'a' }) >= plain + 100);
    // a rule is read, checked, compiled and estimated in a step each
    assert.ok(check({ 'x-cluster-validations': [{ rule: 'true' }] }) >= plain + 600);
    const message = { rule: 'true', messageExpression: '"no"' };
    assert.ok(check({ 'x-cluster-validations': [message] }) >= plain + 1_000);
  });

  it('refuses keys of a list that take long to compare', () => {
    const keys = Array.from({ length: 65 }, (_, i) => `f${i}`);
    const list = (names: string[]): JsonObject => ({
      type: 'array',
      'x-cluster-list-type': 'map',
      'x-cluster-list-map-keys': names,
      items: { type: 'object', required: names, properties: named(65, () => STRING) },
    });
    assert.deepEqual(wrongWithField(list(keys)), ['TooMany @.x-cluster-list-map-keys']);
    assert.deepEqual(wrongWithField(list(keys.slice(1))), []);
  });

  it('ReDoS: refuses patterns that take long to compile, by themselves or together', () => {
    const began = cpuMs();
    const tables = (count: number): string => '\\pL'.repeat(count);
    const text = (pattern: string): JsonObject => ({ type: 'string', pattern });
    assert.deepEqual(wrongWithField(text(tables(5_000))), ['Invalid @.pattern']);
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`f${i}`, text(`${tables(1_000)}${i}`)]),
    );
    const wrong = wrongWithField({ type: 'object', properties });
    assert.deepEqual(
      [wrong.includes('Forbidden @.properties[f199].pattern'), wrong.length > 150],
      [true, true],
    );
    const often = Array.from({ length: 200 }, (_, i) => [`f${i}`, text(tables(1_000))]);
    assert.deepEqual(wrongWithField({ type: 'object', properties: Object.fromEntries(often) }), []);
    const listed = (start: number): string =>
      `[${Array.from({ length: 16_000 }, (_, i) => String.fromCharCode(start + 3 * i)).join('')}]`;
    const lists = Array.from({ length: 100 }, (_, i) => [`f${i}`, text(listed(0x100 + i))]);
    const tooMany = wrongWithField({ type: 'object', properties: Object.fromEntries(lists) });
    assert.ok(tooMany.length > 50, String(tooMany.length));
    assert.ok(cpuMs() - began < scaled(5_000));
  });

  it('accepts every schema that the generator of valid schemas makes', () => {
    fc.assert(
      fc.property(resource, ({ schema }) => assert.deepEqual(wrongWith(schema), [])),
      { numRuns: 300 },
    );
  });
});

describe('schemaWarnings', () => {
  it('names each unknown format once, and those of other types', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string', format: 'colour' },
        b: { type: 'array', items: { type: 'string', format: 'colour' } },
        c: { type: 'integer', format: 'date' },
        d: { type: 'string', format: 'date-time', anyOf: [{ format: 'odd' }] },
        e: { type: 'number', format: 'double' },
      },
    };
    assert.deepEqual(atOnce(schemaWarnings(schema)), [
      'unrecognized format "colour"',
      'unrecognized format "date"',
      'unrecognized format "odd"',
    ]);
  });
});
