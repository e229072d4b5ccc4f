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
const GO_PART = /(\d*\.?\d*)(ns|us|µs|μs|ms|s|m|h)/g;
const NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
const MAX_NANOSECONDS = 2 ** 63;
/** A number and a word; numbers alone are matched too, so that each digit is looked at once. */
const WORDED_PART = /(\d+)[\t\n\f\r ]*([A-Za-zµ]*)/g;
const UNIT_NAMES: ReadonlySet<string> = new Set([
  'ns',
  'us',
  'µs',
  'ms',
  's',
  'm',
  'h',
  'hr',
  'd',
  'w',
  'wk',
]);
/** Any word that begins so is the unit: `days`, `hours`, `secs`. */
const UNIT_PREFIXES = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
const INT64_MAX = 2n ** 63n - 1n;
const MAX_INT_DIGITS = 19;

/** As Go writes it (`1h30m`), or with units in words anywhere in the text (`2 days`). */
export function isDuration(text: string): boolean {
  return isGoDuration(text) || isWordedDuration(text);
}

function isGoDuration(text: string): boolean {
  if (/^[-+]?0$/.test(text)) return true;
  if (!GO_DURATION.test(text)) return false;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(GO_PART)) {
    total += Number(amount) * (NANOSECONDS[unit ?? ''] ?? 0);
  }
  return total < MAX_NANOSECONDS;
}

function isWordedDuration(text: string): boolean {
  let hasUnit = false;
  for (const [, amount = '', word = ''] of text.matchAll(WORDED_PART)) {
    if (word === '') continue;
    if (isBeyondInt64(amount)) return false;
    const unit = word.toLowerCase();
    hasUnit ||= UNIT_NAMES.has(unit) || UNIT_PREFIXES.some((prefix) => unit.startsWith(prefix));
  }
  return hasUnit;
}

function isBeyondInt64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  if (significant.length !== MAX_INT_DIGITS) return significant.length > MAX_INT_DIGITS;
  return BigInt(significant) > INT64_MAX;
}
