import assert from 'node:assert/strict';
import { check } from '../check/checker.ts';
import { Environment } from '../environment.ts';
import type { Library } from '../libraries/library.ts';
import { OPTIONALS_LIBRARY } from '../libraries/optionals.ts';
import { ENCODERS_LIBRARY } from '../libraries/encoders.ts';
import { MATH_LIBRARY } from '../libraries/math.ts';
import { BINDINGS_LIBRARY } from '../libraries/bindings.ts';
import { PLAIN_STRINGS_LIBRARY } from '../libraries/string-library.ts';
import { declareFunction, globalOverload, memberOverload } from '../types/declaration.ts';
import * as t from '../value/type.ts';
import { debugChecked } from './debug-ast.ts';
import { NeedsMessage, readTypeEnv } from './proto-json.ts';
import { caseName, CHECKING, CONFORMANCE, PARSING, type SpecCase } from './suites.ts';

/** Declarations that the checking suite takes for granted. */
const TEST_FUNCTIONS: Library = {
  functions: [
    declareFunction(
      'fg_s',
      globalOverload('fg_s_0', [], t.STRING, () => ''),
    ),
    declareFunction(
      'fi_s_s',
      memberOverload('fi_s_s_0', [t.STRING], t.STRING, (s) => s),
    ),
  ],
};
const TEST_VARIABLES = {
  is: t.STRING,
  ii: t.INT,
  iu: t.UINT,
  iz: t.BOOL,
  id: t.DOUBLE,
  ix: t.NULL,
  ib: t.BYTES,
};

const standard = Environment.create({
  mixedLiterals: true,
  libraries: [
    { ...OPTIONALS_LIBRARY, optionalSyntax: false },
    BINDINGS_LIBRARY,
    PLAIN_STRINGS_LIBRARY,
    MATH_LIBRARY,
    ENCODERS_LIBRARY,
  ],
});
const testing = Environment.create({
  mixedLiterals: true,
  libraries: [{ ...OPTIONALS_LIBRARY, optionalSyntax: false }, TEST_FUNCTIONS],
  variables: TEST_VARIABLES,
});

/** Recorded where ints and doubles could not be compared with each other; in rules they can. */
const NO_CROSS_TYPE_ORDER =
  /found no matching overload for '_[<>]=?_' applied to '\((int|uint|double), (int|uint|double)\)'/;

const CROSS_TYPE_OVERLOAD =
  /(?<=[\^|])(less|greater)(_equals)?_(int64|uint64|double)_(int64|uint64|double)\||\|(less|greater)(_equals)?_(int64|uint64|double)_(int64|uint64|double)\b/g;
/** The recordings know only the older name of this macro. */
const NEWER_MACRO = /\.existsOne\(\w+, \w+\)/;

const MESSAGES =
  /TestAllTypes|TestRequired|Proto2Message|Enum|google\.protobuf|"messageType"|block_ext/;

describe('cel checker against the published suites', () => {
  for (const [name, suite] of Object.entries({ PARSING, CHECKING, CONFORMANCE })) {
    const cases = suite.filter((test) => test.checkedAst !== undefined && isCovered(test));
    it(`gives the types and overloads of ${cases.length} cases of ${name.toLowerCase()}`, () => {
      assert.ok(cases.length > 30);
      assert.deepEqual(
        cases.flatMap((test) => treeProblem(test, name) ?? []),
        [],
      );
    });

    const errors = suite.filter((test) => isCheckerError(test) && isCovered(test));
    it(`reports the errors of ${errors.length} cases of ${name.toLowerCase()}`, () => {
      assert.deepEqual(
        errors.flatMap((test) => errorProblem(test, name) ?? []),
        [],
      );
    });
  }
});

function isCovered(test: SpecCase): boolean {
  return !MESSAGES.test(JSON.stringify([test.original, test.suite]));
}

function isCheckerError(test: SpecCase): boolean {
  const error = test.error ?? '';
  return error.startsWith('ERROR: <input>') && test.ast !== undefined;
}

function checkCase(test: SpecCase, suite: string): { tree?: string; errors: string } {
  const { original } = test;
  const { variables, functions } = readTypeEnv(original.typeEnv ?? []);
  const environment = (suite === 'CONFORMANCE' ? standard : testing).extend({
    variables,
    libraries: functions.length === 0 ? [] : [{ functions }],
    ...(original.container === undefined ? {} : { container: original.container }),
  });
  const parsed = environment.parse(original.expr);
  const checked = check(parsed, environment.declarations);
  const compiled = environment.compile(original.expr);
  const errors = compiled.ok ? '' : compiled.message;
  if (checked === undefined) return { errors };
  return { tree: debugChecked(checked), errors };
}

function treeProblem(test: SpecCase, suite: string): string | undefined {
  try {
    const { tree, errors } = checkCase(test, suite);
    const same =
      tree?.replaceAll(CROSS_TYPE_OVERLOAD, '') ===
      test.checkedAst?.replaceAll(CROSS_TYPE_OVERLOAD, '');
    if (same) return undefined;
    return `${caseName(test)}:\n${tree ?? errors}\n--- expected\n${test.checkedAst ?? ''}`;
  } catch (error) {
    if (error instanceof NeedsMessage) return undefined;
    throw error;
  }
}

function errorProblem(test: SpecCase, suite: string): string | undefined {
  const expected = test.error ?? '';
  const { errors } = checkCase(test, suite);
  if (NO_CROSS_TYPE_ORDER.test(expected) || NEWER_MACRO.test(test.original.expr)) {
    return errors === expected ? `${caseName(test)} needs no exception any more` : undefined;
  }
  return errors === expected
    ? undefined
    : `${caseName(test)}:\n${errors}\n--- expected\n${expected}`;
}
