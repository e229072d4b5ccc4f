import assert from 'node:assert/strict';
import type { FieldError } from '../../api/field-error.ts';
import { fieldError } from '../../api/field-error.ts';
import { deepClone, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { atOnce } from '../../api/steps.ts';
import type {
  ResourceDefinition,
  Strategy,
  UpdateStrategy,
  VersionDefinition,
} from '../definition.ts';
import type { ExpressionChecker } from '../expressions.ts';

/** Runs a kind's own part of a write, without a server. For tests. */

export interface WriteOutcome {
  readonly object: ApiObject;
  readonly unknownFields: readonly string[];
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** The moment of every write in tests. */
const TEST_NOW = Date.parse('1999-01-02T03:04:05Z');

export function servedVersion(definition: ResourceDefinition): VersionDefinition {
  const version = definition.versions.find(({ name }) => name === definition.storageVersion);
  if (version === undefined) throw new Error('no storage version');
  return version;
}

/** Decodes and completes an object as any write does. @throws ApiError 400 */
export function decoded(
  definition: ResourceDefinition,
  json: JsonObject,
): { object: ApiObject; unknownFields: readonly string[] } {
  const { codec } = servedVersion(definition);
  const { object, unknownFields } = codec.decode(deepClone(json), { reportUnknown: true });
  codec.applyDefaults(object);
  return { object: object, unknownFields };
}

/** Decode, default, prepare, validate: what a POST does with the body. */
export function created(definition: ResourceDefinition, json: JsonObject): WriteOutcome {
  const { object, unknownFields } = decoded(definition, json);
  const { strategy } = definition;
  const context = { now: TEST_NOW };
  strategy.prepareForCreate?.(object, context);
  const name = object.metadata.name ?? '';
  const errors = [
    ...strategy
      .validateName(name, false)
      .map((text) => fieldError.invalid('metadata.name', name, text)),
    ...servedVersion(definition).codec.validate(object, undefined),
    ...(strategy.validate?.(object, context) ?? []),
    ...longErrors(strategy, object, undefined),
  ];
  return { object, unknownFields, errors, warnings: warningsOf(strategy, object, undefined) };
}

/** What a PUT of `json` over `old`, or through one of its subresources, does. */
export function updated(
  definition: ResourceDefinition,
  old: ApiObject,
  json: JsonObject,
  subresource?: 'status' | 'finalize',
): WriteOutcome {
  const { object, unknownFields } = decoded(definition, json);
  const before = deepClone(old);
  const { strategy } = definition;
  const way: UpdateStrategy | undefined =
    subresource === undefined ? strategy : servedVersion(definition).subresources[subresource];
  if (way === undefined) throw new Error(`no subresource ${subresource ?? ''}`);
  const context = { now: TEST_NOW };
  // the registry never takes the generation from a client
  if (old.metadata.generation !== undefined) object.metadata.generation = old.metadata.generation;
  way.prepareForUpdate?.(object, before, context);
  const errors = [
    ...servedVersion(definition).codec.validate(object, before),
    ...(way.validateUpdate?.(object, before, context) ?? []),
    ...longErrors(way, object, before),
  ];
  return { object, unknownFields, errors, warnings: warningsOf(strategy, object, before) };
}

function warningsOf(
  { warnings, warningSteps }: Strategy,
  object: ApiObject,
  old: ApiObject | undefined,
): readonly string[] {
  const steps = warningSteps?.(object, old);
  return steps === undefined ? (warnings?.(object, old) ?? []) : atOnce(steps);
}

function longErrors(
  way: UpdateStrategy,
  object: ApiObject,
  old: ApiObject | undefined,
): readonly FieldError[] {
  const steps = way.validateSteps?.(object, old);
  return steps === undefined ? [] : atOnce(steps);
}

/** Errors as `FieldValueRequired spec.x`, in order: tests compare types and paths, not wording. */
export function problems({ errors }: WriteOutcome): string[] {
  return errors.map(({ type, path }) => `${type} ${path}`);
}

/** The cells of an object's row, by the names of their columns. */
export function rowOf(definition: ResourceDefinition, object: ApiObject): JsonObject {
  const { columns } = servedVersion(definition);
  return Object.fromEntries(columns.map((column) => [column.name, column.cell(object, TEST_NOW)]));
}

/** One mocha test per entry: `[what is sent, what becomes of it]`, without anything wrong. */
export function testKept(
  definition: ResourceDefinition,
  cases: Readonly<Record<string, readonly [given: JsonObject, served: JsonObject]>>,
): void {
  for (const [name, [given, served]] of Object.entries(cases)) {
    it(`keeps ${name}`, () => {
      const outcome = created(definition, given);
      assert.deepEqual(outcome.errors, []);
      assert.deepEqual(outcome.object, served);
      const again = created(definition, outcome.object);
      assert.deepEqual(again.object, served, 'what is served is read back unchanged');
    });
  }
}

/** One mocha test per entry: `[what is sent, the problems that a create finds]`. */
export function testRefused(
  definition: ResourceDefinition,
  cases: Readonly<Record<string, readonly [given: JsonObject, expected: readonly string[]]>>,
): void {
  for (const [rule, [given, expected]] of Object.entries(cases)) {
    it(`refuses ${rule}`, () => assert.deepEqual(problems(created(definition, given)), expected));
  }
}

const COSTS: Readonly<Record<string, bigint>> = { dear: 1_000_000n, costly: 1_000_001n };

/** Knows few words: `broken` does not compile, `dear` costs as much as it may, `costly` costs more, `<use>-only` fits that use alone. */
export const testChecker: ExpressionChecker = {
  deviceScope: () => ({
    check: (expression) =>
      expression === 'broken'
        ? { problem: 'broken', cost: 0n }
        : { problem: undefined, cost: COSTS[expression] ?? 1n },
  }),
  admissionScope({ params, variables }) {
    const known = new Set<string>();
    const check = (expression: string): string | undefined => {
      if (expression === 'broken') return 'broken';
      if (expression === 'params' && !params) return 'no params';
      const variable = /^variables\.(\w+)$/.exec(expression)?.[1];
      return variable === undefined || (variables && known.has(variable))
        ? undefined
        : `no variable ${variable}`;
    };
    return {
      defineVariable(name, expression) {
        const problem = check(expression);
        known.add(name);
        return problem;
      },
      check: (use, expression) =>
        expression.endsWith('-only') && expression !== `${use}-only`
          ? `not for ${use}`
          : check(expression),
    };
  },
};
