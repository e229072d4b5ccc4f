const UNITS: readonly [name: string, seconds: number][] = [
  ['y', 365 * 86_400],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
];

/** Moments that lie ahead by less than this count as the present. */
const LEAST_AHEAD_MS = 2_000;

/** How long ago a moment was, as `3d ago`, or how far it lies ahead, as `in 5m`. */
export function distanceOf(time: string, now: number): string {
  const then = Date.parse(time);
  if (Number.isNaN(then)) return '';
  const ahead = then - now;
  // clocks may differ a little
  if (ahead <= LEAST_AHEAD_MS) return `${ageOf(time, now)} ago`;
  return `in ${ageOf(new Date(now).toISOString(), then)}`;
}

/** Time between two moments in its largest unit, as `3d`; small numbers with the next unit, as `1d4h`. */
export function ageOf(time: string, now: number): string {
  const then = Date.parse(time);
  if (Number.isNaN(then)) return '';
  const seconds = Math.max(0, Math.floor((now - then) / 1_000));
  const at = UNITS.findIndex(([, size]) => seconds >= size);
  const unit = UNITS[at];
  if (unit === undefined) return '0s';
  const whole = Math.floor(seconds / unit[1]);
  const next = UNITS[at + 1];
  const rest = next === undefined || whole > 9 ? 0 : Math.floor((seconds % unit[1]) / next[1]);
  return `${whole}${unit[0]}${rest > 0 && next !== undefined ? `${rest}${next[0]}` : ''}`;
}
