const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Clocks differ by a little; an age that is further below zero than this is shown as wrong. */
const TOLERATED_SKEW_SECONDS = -1;

/**
 * A span of time in one or two units, precise where it is short: `42s`, `3m15s`,
 * `2d4h`, `5y`. Source: apimachinery, pkg/util/duration, HumanDuration.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  if (seconds < TOLERATED_SKEW_SECONDS) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return twoUnits(seconds, MINUTE, 'm', 1, 's');
  if (seconds < 3 * HOUR) return inUnit(seconds, MINUTE, 'm');
  if (seconds < 8 * HOUR) return twoUnits(seconds, HOUR, 'h', MINUTE, 'm');
  if (seconds < 2 * DAY) return inUnit(seconds, HOUR, 'h');
  if (seconds < 8 * DAY) return twoUnits(seconds, DAY, 'd', HOUR, 'h');
  if (seconds < 2 * YEAR) return inUnit(seconds, DAY, 'd');
  if (seconds < 8 * YEAR) return twoUnits(seconds, YEAR, 'y', DAY, 'd');
  return inUnit(seconds, YEAR, 'y');
}

/** The age of a time as it stands in an object; `<unknown>` when there is none. */
export function ageOf(timestamp: unknown, now: number): string {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return Number.isNaN(time) ? '<unknown>' : humanDuration(now - time);
}

function inUnit(seconds: number, unit: number, name: string): string {
  return `${Math.trunc(seconds / unit)}${name}`;
}

/** The smaller unit is left out when it is zero. */
function twoUnits(
  seconds: number,
  large: number,
  largeName: string,
  small: number,
  smallName: string,
): string {
  const rest = Math.trunc((seconds % large) / small);
  return inUnit(seconds, large, largeName) + (rest === 0 ? '' : `${rest}${smallName}`);
}
