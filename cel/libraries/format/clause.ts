/** Digits after the point that a format may ask for. */
const MAX_PRECISION = 1_000;
/** Digits after the point when a format does not say. */
export const DEFAULT_PRECISION = 6;

/** The conversions of a format string; the letter decides what may be converted and how. */
export type Conversion = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';

type Part =
  | { kind: 'text'; text: string }
  | { kind: 'clause'; conversion: Conversion; precision: number };

/** The format string is broken, or an argument does not fit; the message is what the author sees. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  /** Node of the argument to blame, when the format is checked before it runs. */
  readonly id: number | undefined;

  constructor(message: string, id?: number) {
    super(message);
    this.id = id;
  }
}

const CLAUSE = /%(?:%|(?:\.(\d*))?([\s\S])?)/gy;
const CONVERSIONS = 'sdfebxXo';

/**
 * Parts of a format string, given one by one so that an argument that is missing
 * is reported before anything that stands behind it.
 *
 * @throws FormatError
 */
export function* formatParts(format: string, argCount: number): Generator<Part> {
  let used = 0;
  for (let at = 0; at < format.length;) {
    const percent = format.indexOf('%', at);
    if (percent !== at) {
      const end = percent < 0 ? format.length : percent;
      yield { kind: 'text', text: format.slice(at, end) };
      at = end;
      continue;
    }
    if (format.startsWith('%%', at)) {
      yield { kind: 'text', text: '%' };
      at += 2;
      continue;
    }
    if (used >= argCount) throw new FormatError(`index ${used} out of range`);
    used++;
    CLAUSE.lastIndex = at;
    const match = CLAUSE.exec(format);
    yield clause(match?.[1], match?.[2]);
    at = CLAUSE.lastIndex;
  }
}

function clause(digits: string | undefined, letter: string | undefined): Part {
  const precision = digits === undefined ? DEFAULT_PRECISION : readPrecision(digits, letter);
  if (letter === undefined) throw new FormatError('unexpected end of string');
  if (!CONVERSIONS.includes(letter)) {
    throw new FormatError(
      `could not parse formatting clause: unrecognized formatting clause "${letter}"`,
    );
  }
  return { kind: 'clause', conversion: letter as Conversion, precision };
}

function readPrecision(digits: string, letter: string | undefined): number {
  const problem =
    letter === undefined
      ? 'could not find end of precision specifier'
      : digits === ''
        ? 'error while converting precision to integer: it has no digits'
        : Number(digits) > MAX_PRECISION
          ? `precision ${digits.slice(0, 20)} exceeds maximum allowed precision ${MAX_PRECISION}`
          : undefined;
  if (problem === undefined) return Number(digits);
  throw new FormatError(
    `could not parse formatting clause: error while parsing precision: ${problem}`,
  );
}

/** What each conversion takes, in the words of an error message. */
export type Wording = Readonly<Record<Conversion, string>>;

const STRING_CLAUSE =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';
const CLASSIC_HEX = 'only integers, byte buffers, and strings can be formatted as hex';
const PLAIN_HEX = 'only ints, uints, bytes, and strings can be formatted as hex';

export const CLASSIC_WORDING: Wording = {
  s: STRING_CLAUSE,
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: CLASSIC_HEX,
  X: CLASSIC_HEX,
  o: 'octal clause can only be used on integers',
};

export const PLAIN_WORDING: Wording = {
  s: STRING_CLAUSE,
  d: 'decimal clause can only be used on ints, uints, and doubles',
  f: 'fixed-point clause can only be used on ints, uints, and doubles',
  e: 'scientific clause can only be used on ints, uints, and doubles',
  b: 'only ints, uints, and bools can be formatted as binary',
  x: PLAIN_HEX,
  X: PLAIN_HEX,
  o: 'octal clause can only be used on ints and uints',
};

/** The argument of a clause has the wrong type; `accepts` is the wording of the clause. */
export function wrongArgument(accepts: string, typeName: string, id?: number): FormatError {
  return new FormatError(`error during formatting: ${accepts}, was given ${typeName}`, id);
}
