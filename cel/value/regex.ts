import { RE2JS } from 're2js';
import { BoundedCache } from './bounded-cache.ts';
import { acceptedSize, type PatternSize } from './pattern-size.ts';
import { CelError } from './value.ts';

/** Compiled patterns are kept as long as compiling all of them takes no more than so much work. */
const MAX_CACHED_WORK = 200_000_000;
/** No pattern counts for less in the cache: even the shortest takes some memory. */
const LEAST_CACHED_WORK = 200_000;
/** A pattern under RE2, which matches in linear time whatever it is. */
export interface Regex extends PatternSize {
  readonly compiled: RE2JS;
}

const cache = new BoundedCache<Regex | CelError>(MAX_CACHED_WORK, (regex) =>
  regex instanceof CelError ? LEAST_CACHED_WORK : Math.max(LEAST_CACHED_WORK, regex.work),
);

/** The pattern compiled, or what is wrong with it. Expressions ask their meter for patterns that they make. */
export function compileRegex(pattern: string): Regex | CelError {
  return cache.get(pattern, compile);
}

function compile(pattern: string): Regex | CelError {
  const size = acceptedSize(pattern);
  if (typeof size === 'string') return new CelError(`pattern is ${size}`);
  try {
    return { ...size, compiled: RE2JS.compile(pattern) };
  } catch (error) {
    return new CelError((error as Error).message);
  }
}
