import type { Source } from './source.ts';

/** Errors beyond this many are counted, not kept: one broken expression need not fill memory. */
const MAX_ISSUES = 100;
/** A source line longer than this is not repeated under its error. */
const MAX_SNIPPET_LENGTH = 16_384;

/** One thing wrong with an expression, found before it ever runs. */
export interface CelIssue {
  /** 1-based. */
  line: number;
  /** 1-based, in code points. */
  column: number;
  message: string;
}

/** Collects the issues of one expression in the order in which its author reads them. */
export class IssueList {
  readonly source: Source;
  readonly #issues: CelIssue[] = [];
  #dropped = 0;

  constructor(source: Source) {
    this.source = source;
  }

  get count(): number {
    return this.#issues.length + this.#dropped;
  }

  /** Adds an issue at a code unit offset of the source. */
  report(offset: number, message: string): void {
    if (this.#issues.length >= MAX_ISSUES) {
      this.#dropped++;
      return;
    }
    const { line, column } = this.source.location(offset);
    this.#issues.push({ line, column: column + 1, message });
  }

  sorted(): CelIssue[] {
    return [...this.#issues].sort((a, b) => a.line - b.line || a.column - b.column);
  }

  /**
   * The text that users know from CEL tools: every issue with its line and a caret under it.
   * Rejected expressions carry it in their error.
   */
  toString(): string {
    const lines = this.sorted().map((issue) => formatIssue(this.source, issue));
    if (this.#dropped > 0) lines.push(`${this.#dropped} more errors were truncated`);
    return lines.join('\n');
  }
}

function formatIssue(source: Source, issue: CelIssue): string {
  const head = `ERROR: <input>:${issue.line}:${issue.column}: ${issue.message}`;
  const line = source.line(issue.line);
  if (line === undefined || line.length > MAX_SNIPPET_LENGTH) return head;
  return `${head}\n | ${line.replaceAll('\t', ' ')}\n | ${caret(line, issue.column - 1)}`;
}

/** Characters outside ASCII are often drawn wide, so the pointer under them is wide too. */
function caret(line: string, column: number): string {
  const points = Array.from(line);
  const isWide = (i: number): boolean => (points[i]?.codePointAt(0) ?? 0) > 0x7f;
  let pointer = '';
  for (let i = 0; i < column && i < points.length; i++) pointer += isWide(i) ? '\uff0e' : '.';
  return pointer + (isWide(column) ? '\uff3e' : '^');
}
