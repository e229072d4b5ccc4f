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
