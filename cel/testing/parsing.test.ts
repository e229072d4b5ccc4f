import assert from 'node:assert/strict';
import { macroTable } from '../syntax/macro.ts';
import { parse } from '../syntax/parser.ts';
import { STANDARD_MACROS } from '../syntax/standard-macros.ts';
import { debugAst } from './debug-ast.ts';
import {
  caseName,
  CHECKING,
  COMPREHENSION,
  CONFORMANCE,
  PARSING,
  type SpecCase,
} from './suites.ts';

const options = { macros: macroTable(STANDARD_MACROS), optionalSyntax: false };

/** The recordings fail on these because of their parser's options, not because of the language. */
const OTHER_OPTIONS: readonly { error: RegExp; reason: string; cases: number }[] = [
  { error: /recursion (limit|depth)/, reason: 'recorded with a recursion limit of 32', cases: 9 },
  { error: /unsupported syntax: '`'/, reason: 'recorded without quoted names', cases: 39 },
];

describe('cel parser against the published suites', () => {
  for (const [name, suite] of Object.entries({ PARSING, CHECKING, COMPREHENSION, CONFORMANCE })) {
    it(`gives the tree of every case of ${name.toLowerCase()}`, () => {
      const failures = suite.flatMap((test) => (exception(test) ? [] : (failure(test) ?? [])));
      assert.deepEqual(failures, []);
    });
  }

  for (const { error, reason, cases } of OTHER_OPTIONS) {
    it(`parses what was ${reason}`, () => {
      const all = [...PARSING, ...CHECKING, ...COMPREHENSION, ...CONFORMANCE];
      const excepted = all.filter((test) => isOnly(test, error));
      assert.equal(excepted.length, cases);
      assert.deepEqual(
        excepted.filter((test) => failure(test) === undefined).map(caseName),
        [],
        'no exception is needed for these any more',
      );
    });
  }
});

function exception(test: SpecCase): boolean {
  return OTHER_OPTIONS.some(({ error }) => isOnly(test, error));
}

/** True when the recording failed for this reason and no other. */
function isOnly(test: SpecCase, error: RegExp): boolean {
  const errors = (test.error ?? '').split('\n').filter((line) => line.startsWith('ERROR:'));
  return test.ast === undefined && errors.length > 0 && errors.every((line) => error.test(line));
}

function failure(test: SpecCase): string | undefined {
  const parsed = parse(test.original.expr, options);
  if (test.ast === undefined) {
    return parsed.root === undefined ? undefined : `${caseName(test)}: parsed, expected an error`;
  }
  if (parsed.root === undefined) return `${caseName(test)}: ${parsed.issues.toString()}`;
  const actual = debugAst(parsed.root);
  return actual === test.ast
    ? undefined
    : `${caseName(test)}:\n${actual}\n--- expected\n${test.ast}`;
}
