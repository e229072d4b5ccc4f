import assert from 'node:assert/strict';
import { check } from '../check/checker.ts';
import { Environment } from '../environment.ts';
import type { CelResult } from '../program.ts';
import { DYN, formatType } from '../value/type.ts';
import type { CelValue } from '../value/value.ts';
import { ALL_LIBRARIES } from './all-libraries.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { NeedsMessage, readTypeEnv, readValue } from './proto-json.ts';
import { sameValue, show } from './same-value.ts';
import { caseName, CONFORMANCE, type SpecCase } from './suites.ts';
import { unchecked } from './unchecked.ts';

const base = Environment.create({ libraries: ALL_LIBRARIES, mixedLiterals: true });

/** Message types, enums and what is only there for them. */
const MESSAGES =
  /TestAllTypes|TestRequired|GlobalEnum|NullValue\.|Int(32|64)Value|FloatValue|Proto2Extension|google\.protobuf\.\w+\s*\{|proto\.(has|get)Ext|google\.protobuf\.(NullValue|Any|Value|Struct|ListValue|FieldMask|Empty|\w+Value)\b/;

function needsMessages(test: SpecCase): boolean {
  return MESSAGES.test(JSON.stringify(test.original));
}

describe('cel evaluation against the published suite', () => {
  const cases = CONFORMANCE.filter((test) => !needsMessages(test));

  it('skips only cases that need protobuf messages', () => {
    assert.equal(CONFORMANCE.length, 2344);
    assert.equal(cases.length, 1651);
  });

  const suites = new Map<string, SpecCase[]>();
  for (const test of cases) suites.set(test.suite, [...(suites.get(test.suite) ?? []), test]);

  for (const [suite, tests] of suites) {
    it(`${suite}: gives the value or the error of every case`, () => {
      const failures = tests.flatMap((test) => {
        const failure = failureOf(test);
        const reason = EXCEPTIONS.get(caseName(test));
        if (reason === undefined) return failure ?? [];
        return failure === undefined ? `${caseName(test)} needs no exception any more` : [];
      });
      assert.deepEqual(failures, []);
    });
  }
});

function failureOf(test: SpecCase): string | undefined {
  const problem = problemOf(test);
  return problem === undefined ? undefined : `${caseName(test)}: ${test.original.expr}: ${problem}`;
}

function problemOf(test: SpecCase): string | undefined {
  const { original } = test;
  let outcome: { result: CelResult; type: string } | string;
  try {
    outcome = evaluate(test);
  } catch (error) {
    if (error instanceof NeedsMessage) return `needs message ${error.message}`;
    throw error;
  }
  if (typeof outcome === 'string') return original.evalError === undefined ? outcome : undefined;
  const { result, type } = outcome;
  if (original.evalError !== undefined) {
    return result.ok ? `gives ${show(result.value)} instead of an error` : undefined;
  }
  if (hasType(test) && test.type !== type) {
    return `has type ${type} instead of ${test.type}`;
  }
  if (original.checkOnly === true) return undefined;
  if (!result.ok) return result.message;
  const json = (original.value ?? original.typedResult?.result ?? { boolValue: true }) as Record<
    string,
    unknown
  >;
  const expected = readValue(json);
  return sameValue(result.value, expected)
    ? undefined
    : `gives ${show(result.value)} instead of ${show(expected)}`;
}

/** The slots of a block have no type in the recordings; here they have that of their value. */
function hasType(test: SpecCase): boolean {
  const { original, type, suite } = test;
  return original.disableCheck !== true && type !== undefined && !/block_ext/.test(suite);
}

function evaluate(test: SpecCase): { result: CelResult; type: string } | string {
  const { original } = test;
  const { variables, functions } = readTypeEnv(original.typeEnv ?? []);
  const bindings = new Map<string, CelValue>();
  for (const [name, binding] of Object.entries(original.bindings ?? {})) {
    bindings.set(name, readValue((binding as { value: Record<string, unknown> }).value));
  }
  const dynamic = Object.fromEntries([...bindings.keys()].map((name) => [name, DYN]));
  const environment = base.extend({
    variables: original.disableCheck === true ? { ...dynamic, ...variables } : variables,
    libraries: functions.length === 0 ? [] : [{ functions }],
    ...(original.container === undefined ? {} : { container: original.container }),
  });
  const parsed = environment.parse(original.expr);
  if (parsed.root === undefined) return parsed.issues.toString().split('\n', 1)[0] ?? '';
  const checked =
    original.disableCheck === true
      ? unchecked(parsed, parsed.root, environment.declarations)
      : check(parsed, environment.declarations);
  if (checked === undefined) return parsed.issues.toString().split('\n', 1)[0] ?? '';
  const type = formatType(checked.type);
  if (original.checkOnly === true) {
    return { result: { ok: true, value: null, cost: 0 }, type };
  }
  const compilation = environment.plan(checked);
  if (!compilation.ok) return compilation.message;
  return { result: compilation.program.evaluate(bindings, { limit: 1_000_000 }), type };
}
