import type { Meter } from '../../value/meter.ts';
import { MAX_VALUE_LENGTH, VALUE_TOO_LONG } from '../../plan/arithmetic.ts';
import { runtimeType } from '../../value/type-of.ts';
import {
  CelBytes,
  CelError,
  type CelList,
  CelUint,
  type CelValue,
  type Failure,
  isFailure,
} from '../../value/value.ts';
import {
  FormatError,
  formatParts,
  wrongArgument,
  type Conversion,
  type Wording,
} from './clause.ts';

/** How values read: there are two conventions, which differ in `%s`, `%d`, `%f` and `%e`. */
export interface FormatStyle {
  wording: Wording;
  string: (value: CelValue, out: Output) => void;
  decimal: (value: CelValue) => string | undefined;
  fixed: (value: CelValue, precision: number) => string | undefined;
  scientific: (value: CelValue, precision: number) => string | undefined;
}

/** Collects the text and counts its work, since a small value may stand for a very long text. */
export class Output {
  readonly #meter: Meter;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  /** @throws FormatError when the text gets too long */
  write(text: string): void {
    this.#length += text.length;
    if (this.#length > MAX_VALUE_LENGTH) throw new FormatError(VALUE_TOO_LONG.message);
    this.#meter.inspect(text);
    this.#parts.push(text);
  }

  /** A step into a list or map. */
  enter(): void {
    this.#meter.work(PART_WORK);
  }

  /** Another text on the same account, for what has to be sorted before it is written. */
  nested(): Output {
    return new Output(this.#meter);
  }

  toString(): string {
    return this.#parts.join('');
  }
}

/** Work of writing one part of a list or map. */
const PART_WORK = 400;

/** `format.format(args)`. */
export function formatString(
  meter: Meter,
  format: string,
  args: CelList,
  style: FormatStyle,
): CelValue {
  const out = new Output(meter);
  let index = 0;
  try {
    for (const part of formatParts(format, args.length)) {
      if (part.kind === 'text') {
        out.write(part.text);
        continue;
      }
      const value = args.at(index++);
      if (isFailure(value)) return value satisfies Failure;
      write(part.conversion, part.precision, value, style, out);
    }
  } catch (error) {
    if (error instanceof FormatError) return new CelError(error.message);
    throw error;
  }
  return out.toString();
}

function write(
  conversion: Conversion,
  precision: number,
  value: CelValue,
  style: FormatStyle,
  out: Output,
): void {
  if (conversion === 's') {
    style.string(value, out);
    return;
  }
  const text = converted(conversion, precision, value, style);
  if (text === undefined) throw wrongArgument(style.wording[conversion], runtimeType(value).name);
  out.write(text);
}

function converted(
  conversion: Exclude<Conversion, 's'>,
  precision: number,
  value: CelValue,
  style: FormatStyle,
): string | undefined {
  switch (conversion) {
    case 'd':
      return style.decimal(value);
    case 'f':
      return style.fixed(value, precision);
    case 'e':
      return style.scientific(value, precision);
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integer(value)?.toString(2);
    case 'o':
      return integer(value)?.toString(8);
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value)?.toUpperCase();
  }
}

/** The number of an int or a uint; undefined for any other value. */
export function integer(value: CelValue): bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return BigInt(value);
  return value instanceof CelUint ? value.value : undefined;
}

function hexadecimal(value: CelValue): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof CelBytes) return Buffer.from(value.value).toString('hex');
  return integer(value)?.toString(16);
}
