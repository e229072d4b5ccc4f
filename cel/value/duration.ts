import { INT64_MAX, INT64_MIN } from './int.ts';
import { formatPlain } from './double.ts';
import { CelDuration, CelError } from './value.ts';

const DURATION_OVERFLOW = new CelError('duration overflow');

/** Longer strings are refused as durations. */
const MAX_DURATION_LENGTH = 1_000;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const PART = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/** Nanoseconds of a text like `1h30m` or `-1.5s`; undefined when it is none or beyond int64. */
export function parseDuration(text: string): bigint | undefined {
  if (text.length > MAX_DURATION_LENGTH) return undefined;
  const negative = text.startsWith('-');
  const body = /^[+-]/.test(text) ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '') return undefined;
  let total = 0n;
  for (let at = 0; at < body.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const part = PART.exec(body);
    const whole = part?.[1] ?? '';
    const fraction = part?.[2] ?? '';
    const unit = UNITS.get(part?.[3] ?? '');
    if (unit === undefined || whole + fraction === '') return undefined;
    total += BigInt(whole) * unit;
    if (fraction !== '') total += (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
  }
  const value = negative ? -total : total;
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}

/** A duration as `string(d)` prints it: seconds with as many digits as needed. */
export function formatDuration(duration: CelDuration): string {
  const second = 1_000_000_000n;
  const seconds = Number(duration.nanoseconds / second);
  return `${formatPlain(seconds + Number(duration.nanoseconds % second) / 1e9)}s`;
}

/** The value, or an error when it does not fit. */
export function durationOf(nanoseconds: bigint): CelDuration | CelError {
  return nanoseconds >= INT64_MIN && nanoseconds <= INT64_MAX
    ? new CelDuration(nanoseconds)
    : DURATION_OVERFLOW;
}
