import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehension } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';

/** One case of the published suites, as plain data. */
export interface SpecCase {
  suite: string;
  original: {
    name?: string;
    expr: string;
    container?: string;
    disableCheck?: boolean;
    disableMacros?: boolean;
    checkOnly?: boolean;
    typeEnv?: object[];
    bindings?: Record<string, object>;
    value?: object;
    evalError?: object;
    typedResult?: { result?: object; deducedType?: object };
  };
  /** The tree after parsing with the standard macros, absent when parsing fails. */
  ast?: string;
  /** The tree after checking, with types and overloads. */
  checkedAst?: string;
  /** The type the checker gives, absent when checking fails. */
  type?: string;
  error?: string;
}

interface SpecSuite {
  name: string;
  suites?: SpecSuite[];
  tests?: Omit<SpecCase, 'suite'>[];
}

function flatten(suite: SpecSuite, prefix = ''): SpecCase[] {
  const name = prefix === '' ? suite.name : `${prefix}/${suite.name}`;
  return [
    ...(suite.tests ?? []).map((test) => ({ ...test, suite: name })),
    ...(suite.suites ?? []).flatMap((inner) => flatten(inner, name)),
  ];
}

export const PARSING = flatten(parsing);
export const CHECKING = flatten(checking);
export const COMPREHENSION = flatten(comprehension);
export const CONFORMANCE = flatten(conformance);

/** A name that tells cases with the same text apart in an exception list. */
export function caseName(test: SpecCase): string {
  return `${test.suite}: ${test.original.name ?? test.original.expr.replaceAll(/\s+/g, ' ').trim()}`;
}
