import { RE2JS } from 're2js';
import { BoundedCache } from './bounded-cache.ts';
import { CelError } from './value.ts';

const MAX_CACHED_PATTERNS = 1_000;
/** Longer patterns are refused: compiling takes time and memory in proportion. */
const MAX_PATTERN_LENGTH = 16 * 1024;

const cache = new BoundedCache<RE2JS | CelError>(MAX_CACHED_PATTERNS);

/** The pattern under RE2, which matches in linear time whatever it is, or what is wrong with it. */
export function compileRegex(pattern: string): RE2JS | CelError {
  return cache.get(pattern, compile);
}

function compile(pattern: string): RE2JS | CelError {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return new CelError(`pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return new CelError((error as Error).message);
  }
}
