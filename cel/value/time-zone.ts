import { BoundedCache } from '../../api/bounded-cache.ts';

const MAX_CACHED_ZONES = 100;
/** Clocks change on quarter hours at the finest. */
const BUCKET_SECONDS = 900;
/** No zone has a longer name. */
const MAX_ZONE_LENGTH = 64;

/** Offset from UTC in seconds at an instant. */
type Zone = (epochSeconds: number) => number;

const zones = new BoundedCache<Zone | undefined>(MAX_CACHED_ZONES);

/**
 * Offset of a zone from UTC in seconds at an instant: the name of a zone
 * (`Europe/Berlin`) or a fixed offset (`-07:00`, `2:30`). Undefined for a zone
 * that does not exist.
 */
export function zoneOffsetAt(name: string, epochSeconds: number): number | undefined {
  if (name.length > MAX_ZONE_LENGTH) return undefined;
  return zones.get(name, makeZone)?.(epochSeconds);
}

function makeZone(name: string): Zone | undefined {
  if (name === '' || name === 'UTC') return () => 0;
  const fixed = /^([+-]?)(\d+):(\d+)$/.exec(name);
  if (fixed !== null) {
    const minutes = Number(fixed[3]);
    if (minutes > 59) return undefined;
    const offset = (Number(fixed[2]) * 60 + minutes) * 60 * (fixed[1] === '-' ? -1 : 1);
    return () => offset;
  }
  // Names only: the platform would also take abbreviated offsets.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return namedZone(new Intl.DateTimeFormat('en-US', { ...FIELDS, timeZone: name }));
  } catch {
    return undefined;
  }
}

const FIELDS: Intl.DateTimeFormatOptions = {
  calendar: 'iso8601',
  hourCycle: 'h23',
  era: 'short',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
};

function namedZone(format: Intl.DateTimeFormat): Zone {
  let bucket = NaN;
  let offset = 0;
  return (epochSeconds) => {
    const wanted = Math.floor(epochSeconds / BUCKET_SECONDS);
    if (wanted !== bucket) {
      bucket = wanted;
      offset = offsetOf(format, epochSeconds);
    }
    return offset;
  };
}

function offsetOf(format: Intl.DateTimeFormat, epochSeconds: number): number {
  const parts = new Map<string, string>();
  for (const { type, value } of format.formatToParts(epochSeconds * 1_000)) parts.set(type, value);
  const part = (type: string): number => Number(parts.get(type));
  const year = parts.get('era')?.startsWith('B') === true ? 1 - part('year') : part('year');
  const local = new Date(0);
  local.setUTCFullYear(year, part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() / 1_000 - epochSeconds;
}
