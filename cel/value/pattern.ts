import { RE2JS } from 're2js';
import { BoundedCache } from '../../api/bounded-cache.ts';
import { acceptedSize, INSTRUCTION_WORK, type PatternSize } from './pattern-size.ts';
import { CelError } from './value.ts';

/**
 * Patterns are kept as long as compiling all of them takes no more than so much
 * work, in nanoseconds, or twice as much. More than one definition may have.
 */
const MAX_WRITTEN_WORK = 1_000_000_000;
const MAX_MADE_WORK = 200_000_000;
/** No pattern counts for less: even the shortest takes some memory. */
const LEAST_WORK = 400_000;

/** A pattern under RE2, which matches in linear time whatever it is. */
export interface Regex extends PatternSize {
  readonly compiled: RE2JS;
}

/** A pattern whose size is known, and which is compiled when that is first asked for. */
class Pattern {
  readonly #source: string;
  readonly #size: PatternSize | string;
  #compiled: Regex | string | undefined;

  constructor(source: string) {
    this.#source = source;
    this.#size = acceptedSize(source);
  }

  /** What compiling it takes, in nanoseconds; nothing where its size forbids that. */
  get work(): number {
    return typeof this.#size === 'string' ? 0 : this.#size.work;
  }

  /** What keeping it takes, as work: a long list of characters is a single instruction, but no small one. */
  get weight(): number {
    return Math.max(LEAST_WORK, this.work, this.#source.length * INSTRUCTION_WORK);
  }

  /** The pattern compiled, or in words what is wrong with it. */
  compile(): Regex | string {
    return (this.#compiled ??= compile(this.#source, this.#size));
  }

  /** The same as expressions are told of it. */
  compileForExpression(): Regex | CelError {
    const compiled = this.compile();
    if (typeof compiled !== 'string') return compiled;
    return new CelError(typeof this.#size === 'string' ? `pattern is ${compiled}` : compiled);
  }
}

function compile(source: string, size: PatternSize | string): Regex | string {
  if (typeof size === 'string') return size;
  try {
    return { ...size, compiled: RE2JS.compile(source) };
  } catch (error) {
    return (error as Error).message;
  }
}

const make = (source: string): Pattern => new Pattern(source);
const weigh = ({ weight }: Pattern): number => weight;
const written = new BoundedCache(MAX_WRITTEN_WORK, weigh);
const made = new BoundedCache(MAX_MADE_WORK, weigh);

/** A pattern that is written in a schema, an expression or a flag. */
export function writtenPattern(source: string): Pattern {
  return written.get(source, make);
}

/**
 * A pattern that an expression asks for while it runs. It may come from a
 * client's values, which must not make those be forgotten that are written.
 */
export function madePattern(source: string): Pattern {
  return made.get(source, make);
}
