import {
  declareFunction,
  memberOverload,
  type FunctionDeclaration,
  type Overload,
} from '../types/declaration.ts';
import { DURATION, INT, STRING, TIMESTAMP } from '../value/type.ts';
import { intOf } from '../value/int.ts';
import { daysSince1970, floorSeconds, subSecond } from '../value/timestamp.ts';
import { zoneOffsetAt } from '../value/time-zone.ts';
import { CelError, type CelTimestamp, type CelValue } from '../value/value.ts';

/** A part of a date or time of day, in the zone that `date` is already shifted to. */
type Part = (date: Date, timestamp: CelTimestamp) => number;

function dateAt(timestamp: CelTimestamp, offsetSeconds: number): Date {
  return new Date((Number(floorSeconds(timestamp.nanoseconds)) + offsetSeconds) * 1_000);
}

function inZone(timestamp: CelTimestamp, zone: string, part: Part): CelValue {
  const offset = zoneOffsetAt(zone, Number(floorSeconds(timestamp.nanoseconds)));
  if (offset === undefined) return new CelError(`unknown time zone ${zone}`);
  return part(dateAt(timestamp, offset), timestamp);
}

/** A part in UTC, and in a zone given by name or offset. */
function getter(id: string, part: Part, zoned = `${id}_with_tz`): Overload[] {
  return [
    memberOverload(id, [TIMESTAMP], INT, (t) => part(dateAt(t, 0), t)),
    memberOverload(zoned, [TIMESTAMP, STRING], INT, (t, zone) => inZone(t, zone, part)),
  ];
}

function durationGetter(id: string, nanoseconds: bigint): Overload {
  return memberOverload(id, [DURATION], INT, (d) => intOf(d.nanoseconds / nanoseconds));
}

const dayOfYear: Part = (date) => {
  const year = date.getUTCFullYear();
  const today = daysSince1970(year, date.getUTCMonth() + 1, date.getUTCDate()) ?? 0;
  return today - (daysSince1970(year, 1, 1) ?? 0);
};

/** Parts of timestamps, and durations in units. Months and most days count from zero. */
export const TIME_FUNCTIONS: readonly FunctionDeclaration[] = [
  declareFunction('getFullYear', ...getter('timestamp_to_year', (d) => d.getUTCFullYear())),
  declareFunction('getMonth', ...getter('timestamp_to_month', (d) => d.getUTCMonth())),
  declareFunction('getDayOfYear', ...getter('timestamp_to_day_of_year', dayOfYear)),
  declareFunction(
    'getDayOfMonth',
    ...getter('timestamp_to_day_of_month', (d) => d.getUTCDate() - 1),
  ),
  declareFunction('getDate', ...getter('timestamp_to_day_of_month_1_based', (d) => d.getUTCDate())),
  declareFunction('getDayOfWeek', ...getter('timestamp_to_day_of_week', (d) => d.getUTCDay())),
  declareFunction(
    'getHours',
    ...getter('timestamp_to_hours', (d) => d.getUTCHours()),
    durationGetter('duration_to_hours', 3_600_000_000_000n),
  ),
  declareFunction(
    'getMinutes',
    ...getter('timestamp_to_minutes', (d) => d.getUTCMinutes()),
    durationGetter('duration_to_minutes', 60_000_000_000n),
  ),
  declareFunction(
    'getSeconds',
    ...getter('timestamp_to_seconds', (d) => d.getUTCSeconds(), 'timestamp_to_seconds_tz'),
    durationGetter('duration_to_seconds', 1_000_000_000n),
  ),
  declareFunction(
    'getMilliseconds',
    ...getter('timestamp_to_milliseconds', (_d, t) =>
      Math.trunc(subSecond(t.nanoseconds) / 1_000_000),
    ),
    durationGetter('duration_to_milliseconds', 1_000_000n),
  ),
];
