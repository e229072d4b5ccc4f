const DATE = /^\d{4}-\d\d-\d\d$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A full date of RFC 3339 that the calendar has. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/;

/**
 * A date-time of RFC 3339, in capitals or not. As in the reference there is no
 * leap second, and any character may begin the fraction.
 */
export function isDateTime(text: string): boolean {
  const lower = text.toLowerCase();
  return lower[10] === 't' && isDate(lower.slice(0, 10)) && TIME.test(lower.slice(11));
}

const GO_DURATION = /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const GO_PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g;
const SECOND = 1_000_000_000n;
const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};
/** A number and a word; numbers alone are matched too, so that each digit is looked at once. */
const WORDED_PART = /(\d+)[\t\n\f\r ]*([A-Za-zµ]*)/g;
/** Units in words: the first forms as they are, or any word that begins with the last. */
const WORDS: readonly (readonly [exact: readonly string[], prefix: string, nanoseconds: bigint])[] =
  [
    [['ns'], 'nano', 1n],
    [['us', 'µs'], 'micro', 1_000n],
    [['ms'], 'milli', 1_000_000n],
    [['s'], 'sec', SECOND],
    [['m'], 'min', 60n * SECOND],
    [['h', 'hr'], 'hour', 3600n * SECOND],
    [['d'], 'day', 86_400n * SECOND],
    [['w', 'wk'], 'week', 604_800n * SECOND],
  ];
const INT64_MAX = 2n ** 63n - 1n;
/** A longer text is no duration that anyone means. */
const MAX_DURATION_LENGTH = 1000;

/** As Go writes it (`1h30m`), or with units in words anywhere in the text (`2 days`). */
export function isDuration(text: string): boolean {
  return durationNanoseconds(text) !== undefined;
}

/** The nanoseconds of a duration; undefined when the text is none or they do not fit 64 bits. */
export function durationNanoseconds(text: string): bigint | undefined {
  if (text.length > MAX_DURATION_LENGTH) return undefined;
  return goDuration(text) ?? wordedDuration(text);
}

function goDuration(text: string): bigint | undefined {
  if (/^[-+]?0$/.test(text)) return 0n;
  if (!GO_DURATION.test(text)) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(GO_PART)) {
    const nanoseconds = NANOSECONDS[unit] ?? 0n;
    total += BigInt(whole) * nanoseconds;
    total += (BigInt(fraction) * nanoseconds) / 10n ** BigInt(fraction.length);
  }
  if (total > INT64_MAX) return undefined;
  return text.startsWith('-') ? -total : total;
}

function wordedDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, amount = '', word = ''] of text.matchAll(WORDED_PART)) {
    if (word === '') continue;
    const count = BigInt(amount);
    if (count > INT64_MAX) return undefined;
    const unit = unitOf(word.toLowerCase());
    if (unit !== undefined) total = (total ?? 0n) + count * unit;
  }
  if (total === undefined) return undefined;
  // the reference counts past 64 bits without noticing; here such a text means the longest duration
  return total > INT64_MAX ? INT64_MAX : total;
}

function unitOf(word: string): bigint | undefined {
  return WORDS.find(([exact, prefix]) => exact.includes(word) || word.startsWith(prefix))?.[2];
}
