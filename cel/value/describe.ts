import { formatType } from './type.ts';
import { formatGeneral } from './double.ts';
import { formatDuration } from './duration.ts';
import { formatTimestamp } from './timestamp.ts';
import {
  CelBytes,
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './value.ts';

/** Values in error messages are cut to this length. */
const MAX_LENGTH = 256;

/** A value as error messages name it. Never walks into lists and maps. */
export function describe(value: CelValue): string {
  const text = describeFully(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}

function describeFully(value: CelValue): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if (value instanceof CelUint) return value.value.toString();
  if (value instanceof CelDouble) return formatGeneral(value.value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTypeValue) return formatType(value.type);
  if (value instanceof CelBytes) return 'bytes';
  if (value instanceof CelList) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof CelOptional) return 'optional';
  if (value instanceof CelError) return value.message;
  return 'object';
}
