import { parseTimestamp } from '../../cel/value/timestamp.ts';
import {
  CelBytes,
  CelDuration,
  CelError,
  type CelTimestamp,
  type CelValue,
} from '../../cel/value/value.ts';
import { durationNanoseconds } from '../formats/times.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { base64Problem } from '../typed/scalars.ts';

/** A text by its format: times, durations and bytes are values of their own types. */
export function textValue(text: string, { keywords }: StructuralSchema): CelValue {
  switch (keywords?.format) {
    case 'byte':
      return bytesValue(text);
    case 'duration':
      return durationValue(text);
    case 'date':
      return timeValue(`${text}T00:00:00Z`, text);
    case 'date-time':
      return timeValue(text, text); // capitals only, although lower case is a valid date-time
    default:
      return text;
  }
}

const malformed = (format: string, text: string): CelError =>
  new CelError(`invalid ${format} formatted string ${JSON.stringify(text)}`);

function bytesValue(text: string): CelValue {
  // the alphabet for URLs is accepted besides the standard one
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  if (base64Problem(standard) !== undefined) return malformed('byte', text);
  return new CelBytes(Buffer.from(standard, 'base64'));
}

function durationValue(text: string): CelValue {
  const nanoseconds = durationNanoseconds(text);
  return nanoseconds === undefined ? malformed('duration', text) : new CelDuration(nanoseconds);
}

function timeValue(text: string, shown: string): CelTimestamp | CelError {
  return parseTimestamp(text) ?? malformed('time', shown);
}
