import { RE2JS } from 're2js';
import { acceptedSize } from '../cel/value/pattern-size.ts';

/**
 * Compiled patterns are kept as long as compiling them takes no more than so much
 * work, in nanoseconds: those used since the last clearing, and those before it.
 * More than one definition may have.
 */
export const MAX_RECENT_WORK = 1_000_000_000;
/** No pattern counts for less: even the shortest takes some memory. */
const LEAST_WORK = 400_000;

export interface Pattern {
  /** Whether the pattern matches anywhere in the text; linear time. */
  test(text: string): boolean;
  /** What a character of the text may take: so many instructions. */
  readonly instructions: number;
}

interface Compiled {
  readonly pattern: Pattern | string;
  readonly work: number;
}

let recent = new Map<string, Compiled>();
let older = new Map<string, Compiled>();
let recentWork = 0;

/**
 * The pattern compiled under RE2, whose matching takes linear time whatever the
 * pattern, or what is wrong with it.
 */
export function compilePattern(source: string): Pattern | string {
  const cached = recent.get(source);
  if (cached !== undefined) return cached.pattern;
  const compiled = older.get(source) ?? compile(source);
  if (recentWork > MAX_RECENT_WORK) {
    older = recent;
    recent = new Map();
    recentWork = 0;
  }
  recent.set(source, compiled);
  recentWork += Math.max(LEAST_WORK, compiled.work);
  return compiled.pattern;
}

function compile(source: string): Compiled {
  const size = acceptedSize(source);
  if (typeof size === 'string') return { pattern: size, work: 0 };
  try {
    const compiled = RE2JS.compile(source);
    const { work, instructions } = size;
    return { pattern: { test: (text) => compiled.test(text), instructions }, work };
  } catch (error) {
    return { pattern: (error as Error).message, work: 0 };
  }
}
