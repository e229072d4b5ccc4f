import { IssueList } from '../issue.ts';
import { countCodePoints, Source } from '../source.ts';
import type { Expr } from './ast.ts';
import { ExprBuilder, ExpressionLimitError } from './builder.ts';
import { ExpressionParser } from './expression-parser.ts';
import type { ParserOptions } from './primary-parser.ts';
import { SyntaxFailure } from './token-reader.ts';

/** Longer expressions are refused before they are read. */
export const MAX_EXPRESSION_CODE_POINTS = 100_000;

export interface ParsedExpression {
  source: Source;
  /** Undefined when there are issues. */
  root: Expr | undefined;
  /** Offset of the node with that id. */
  offsets: readonly number[];
  issues: IssueList;
}

/** Parses an expression and expands its macros. Never throws: what is wrong is in `issues`. */
export function parse(text: string, options: ParserOptions): ParsedExpression {
  const source = new Source(text);
  const issues = new IssueList(source);
  const builder = new ExprBuilder();
  const size = text.length > MAX_EXPRESSION_CODE_POINTS ? countCodePoints(text) : text.length;
  if (size > MAX_EXPRESSION_CODE_POINTS) {
    issues.report(
      0,
      `expression code point size exceeds limit: size: ${size}, limit ${MAX_EXPRESSION_CODE_POINTS}`,
    );
    return { source, root: undefined, offsets: builder.offsets, issues };
  }
  let root: Expr | undefined;
  try {
    root = new ExpressionParser(issues, builder, options).parse();
  } catch (error) {
    if (error instanceof ExpressionLimitError) issues.report(0, error.message);
    else if (!(error instanceof SyntaxFailure)) throw error;
  }
  return {
    source,
    root: issues.count === 0 ? root : undefined,
    offsets: builder.offsets,
    issues,
  };
}
