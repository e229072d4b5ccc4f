import { RE2JS } from 're2js';

/** At most twice as many compiled patterns are kept: those used since the last clearing, and those before it. */
export const MAX_RECENT_PATTERNS = 2048;
/** Longer patterns are refused: compiling takes time and memory in proportion. */
export const MAX_PATTERN_LENGTH = 16 * 1024;

export interface Pattern {
  /** Whether the pattern matches anywhere in the text; linear time. */
  test(text: string): boolean;
}

let recent = new Map<string, Pattern | string>();
let older = new Map<string, Pattern | string>();

/**
 * The pattern compiled under RE2, whose matching takes linear time whatever the
 * pattern, or what is wrong with it.
 */
export function compilePattern(source: string): Pattern | string {
  const cached = recent.get(source);
  if (cached !== undefined) return cached;
  const compiled = older.get(source) ?? compile(source);
  if (recent.size >= MAX_RECENT_PATTERNS) {
    older = recent;
    recent = new Map();
  }
  recent.set(source, compiled);
  return compiled;
}

function compile(source: string): Pattern | string {
  if (source.length > MAX_PATTERN_LENGTH) {
    return `longer than ${MAX_PATTERN_LENGTH} characters`;
  }
  try {
    return RE2JS.compile(source);
  } catch (error) {
    return (error as Error).message;
  }
}
