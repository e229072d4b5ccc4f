import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FieldPath } from '../../api/field-path.ts';
import type { JsonObject } from '../../api/json.ts';
import { resource } from '../testing/arbitraries.ts';
import { STRING, wrongWith, wrongWithField } from '../testing/wrong-with.ts';
import { cpuMs, scaled } from '../../test/support/cpu.ts';
import { checkSchema } from './check.ts';
import { MAX_SCHEMA_DEPTH } from './limits.ts';
import { MAX_SCHEMA_ERRORS } from './report.ts';
import { schemaWarnings } from './warnings.ts';

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
    assert.deepEqual(schemaWarnings(schema), [
      'unrecognized format "colour"',
      'unrecognized format "date"',
      'unrecognized format "odd"',
    ]);
  });
});
