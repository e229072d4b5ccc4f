import { RE2JS } from 're2js';

/** Compiled patterns that are kept; the one used longest ago makes room. */
export const MAX_CACHED_PATTERNS = 4096;
/** Longer patterns are refused: compiling takes time and memory in proportion. */
export const MAX_PATTERN_LENGTH = 16 * 1024;

export interface Pattern {
  /** Whether the pattern matches anywhere in the text; linear time. */
  test(text: string): boolean;
}

const cache = new Map<string, Pattern | string>();

/**
 * The pattern compiled under RE2, whose matching takes linear time whatever the
 * pattern, or what is wrong with it.
 */
export function compilePattern(source: string): Pattern | string {
  const cached = cache.get(source);
  if (cached !== undefined) {
    // moved to the end: the order of the map is the order of use
    cache.delete(source);
    cache.set(source, cached);
    return cached;
  }
  const compiled = compile(source);
  if (cache.size >= MAX_CACHED_PATTERNS) {
    for (const oldest of cache.keys()) {
      cache.delete(oldest);
      break;
    }
  }
  cache.set(source, compiled);
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
