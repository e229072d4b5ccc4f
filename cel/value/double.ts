/** The shortest decimal digits that read back as the same double: value = 0.digits × 10^point. */
interface Decimal {
  negative: boolean;
  digits: string;
  point: number;
}

/** Digits of a finite double. */
function shortestDecimal(value: number): Decimal {
  const negative = value < 0 || Object.is(value, -0);
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(Math.abs(value).toString());
  const whole = match?.[1] ?? '0';
  const all = whole + (match?.[2] ?? '');
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  const digits = all.slice(leading).replace(/0+$/, '');
  if (digits === '') return { negative, digits: '0', point: 1 };
  return { negative, digits, point: whole.length - leading + Number(match?.[3] ?? 0) };
}

/** A double in plain notation with as many digits as it needs, as `%f` prints it at the shortest. */
export function formatPlain(value: number): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  const { negative, digits, point } = shortestDecimal(value);
  const sign = negative ? '-' : '';
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`.replace(/\.0+$/, '');
  const padded = digits.padEnd(point, '0');
  const fraction = padded.slice(point);
  return `${sign}${padded.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Plain notation is given up for exponents outside -4 … 5, as in `string(1e6)`. */
const MAX_PLAIN_EXPONENT = 5;
const MIN_PLAIN_EXPONENT = -4;

/** A double as `string(x)` and `%g` print it: `1.5`, `1e+06`, `NaN`, `+Inf`. */
export function formatGeneral(value: number): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  const { negative, digits, point } = shortestDecimal(value);
  const exponent = value === 0 ? 0 : point - 1;
  if (exponent >= MIN_PLAIN_EXPONENT && exponent <= MAX_PLAIN_EXPONENT) return formatPlain(value);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const size = Math.abs(exponent).toString().padStart(2, '0');
  return `${negative ? '-' : ''}${digits.charAt(0)}${fraction}e${exponent < 0 ? '-' : '+'}${size}`;
}

function formatSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : undefined;
}

const DECIMAL = /^[+-]?(?:\d+(?:_?\d)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL = /^([+-]?)(inf|infinity|nan)$/i;

/** A double from text as `double('…')` reads it; undefined when it is none. */
export function parseDouble(text: string): number | undefined {
  const special = SPECIAL.exec(text);
  if (special !== null) {
    if (/nan/i.test(text)) return special[1] === '' ? NaN : undefined;
    return special[1] === '-' ? -Infinity : Infinity;
  }
  if (!DECIMAL.test(text) || text.includes('_')) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
