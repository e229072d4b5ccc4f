import { CelError, CelTimestamp } from './value.ts';

const TIMESTAMP_OVERFLOW = new CelError('timestamp overflow');

const NANOSECONDS = 1_000_000_000n;
/** The first and last second of the years 1 to 9999. */
const MIN_SECONDS = -62_135_596_800n;
const MAX_SECONDS = 253_402_300_799n;
/** What an unset timestamp reads as. */
export const FIRST_NANOSECOND = MIN_SECONDS * NANOSECONDS;

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[T](\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** A timestamp from RFC 3339 text; undefined when it is none, an error outside the years 1 to 9999. */
export function parseTimestamp(text: string): CelTimestamp | CelError | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const days = daysSince1970(year, month, day);
  if (days === undefined) return undefined;
  const offset = zoneOffset(match[8], match[9], match[10]);
  if (offset === undefined) return undefined;
  const seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset;
  const fraction = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return timestampOf(BigInt(seconds) * NANOSECONDS + fraction, offset);
}

function zoneOffset(sign?: string, hours?: string, minutes?: string): number | undefined {
  if (sign === undefined) return 0;
  const h = Number(hours);
  const m = Number(minutes);
  if (h > 24 || m > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (h * 3_600 + m * 60);
}

/** Days from 1970 to a date, undefined when the calendar has no such day. */
export function daysSince1970(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.getTime() / 86_400_000;
}

/** The value, or an error outside the years 1 to 9999. */
export function timestampOf(nanoseconds: bigint, offsetSeconds = 0): CelTimestamp | CelError {
  const seconds = floorSeconds(nanoseconds);
  return seconds >= MIN_SECONDS && seconds <= MAX_SECONDS
    ? new CelTimestamp(nanoseconds, offsetSeconds)
    : TIMESTAMP_OVERFLOW;
}

/** From seconds since 1970 in UTC; an error outside the years 1 to 9999. */
export function timestampOfSeconds(seconds: bigint): CelTimestamp | CelError {
  return timestampOf(seconds * NANOSECONDS);
}

/** Whole seconds since 1970, rounded toward the past. */
export function floorSeconds(nanoseconds: bigint): bigint {
  const seconds = nanoseconds / NANOSECONDS;
  return nanoseconds < 0n && seconds * NANOSECONDS !== nanoseconds ? seconds - 1n : seconds;
}

/** Nanoseconds within the second, never negative. */
export function subSecond(nanoseconds: bigint): number {
  return Number(nanoseconds - floorSeconds(nanoseconds) * NANOSECONDS);
}

/** RFC 3339 text in the zone the timestamp was written in, with as many digits as needed. */
export function formatTimestamp(timestamp: CelTimestamp): string {
  const { nanoseconds, offsetSeconds } = timestamp;
  const local = Number(floorSeconds(nanoseconds)) + offsetSeconds;
  const date = new Date(local * 1_000).toISOString().replace(/^\+?0*(\d{4}-)/, '$1');
  const fraction = subSecond(nanoseconds).toString().padStart(9, '0').replace(/0+$/, '');
  return `${date.slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}${formatOffset(offsetSeconds)}`;
}

function formatOffset(seconds: number): string {
  if (seconds === 0) return 'Z';
  const minutes = Math.abs(seconds) / 60;
  const two = (n: number): string => Math.trunc(n).toString().padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
