import type { JsonValue } from '../../api/json.ts';
import { formatMicroTime, formatTime } from '../../api/time.ts';
import { ProtobufError, type ProtobufReader } from '../../api/protobuf/reader.ts';
import { WIRE } from '../../api/protobuf/wire-type.ts';

/** Values that JSON writes as one and protobuf as a message. */

/** Integers are written as two's complement; beyond 2^53 they stay exact. */
export function signed(value: number | bigint, bits: 32 | 64): number | bigint {
  if (typeof value === 'number' && value < 2 ** (bits - 1)) return value;
  const exact = BigInt.asIntN(bits, BigInt(value));
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

/** More fields than any of these values has; a message that repeats its own is refused. */
const MAX_FIELDS = 16;

/**
 * Reads every field of a small message: `read` returns whether it has read the
 * field, which is skipped otherwise.
 *
 * @throws ProtobufError
 */
export function eachField(reader: ProtobufReader, read: (field: number) => boolean): void {
  let fields = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (++fields > MAX_FIELDS) throw new ProtobufError('a value has too many fields');
    if (!read(field)) reader.skip();
  }
}

/** Field 1, the last of them. @throws ProtobufError */
export function readText(reader: ProtobufReader): string | undefined {
  let text: string | undefined;
  eachField(reader, (field) => {
    if (field !== 1 || reader.wire !== WIRE.BYTES) return false;
    text = reader.text();
    return true;
  });
  return text;
}

const FIRST_SECOND = Date.parse('0000-01-01T00:00:00Z') / 1000;
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** The zero time is written as an empty message, and counts as unset. @throws ProtobufError */
export function readTime(reader: ProtobufReader, kind: 'time' | 'microTime'): JsonValue {
  if (reader.atEnd) return null;
  const read = { seconds: 0 as number | bigint, nanoseconds: 0 as number | bigint };
  eachField(reader, (field) => {
    if (reader.wire !== WIRE.VARINT || field > 2) return false;
    if (field === 1) read.seconds = signed(reader.integer(), 64);
    else read.nanoseconds = signed(reader.integer(), 32);
    return true;
  });
  const { seconds, nanoseconds } = read;
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanoseconds < 0 || nanoseconds >= 1e9) {
    throw new ProtobufError('a time is out of range');
  }
  if (kind === 'time') return formatTime(Number(seconds) * 1000);
  return formatMicroTime(BigInt(seconds) * 1_000_000n + BigInt(nanoseconds) / 1000n);
}

const INT_OR_STRING = { TYPE: 1, INT: 2, STRING: 3 } as const;
const IS_STRING = 1;

/** Says by a number which of its two values is meant. @throws ProtobufError */
export function readIntOrString(reader: ProtobufReader): JsonValue {
  let type: number | bigint = 0;
  let integer: number | bigint = 0;
  let text = '';
  eachField(reader, (field) => {
    const { wire } = reader;
    if (field === INT_OR_STRING.TYPE && wire === WIRE.VARINT) type = reader.integer();
    else if (field === INT_OR_STRING.INT && wire === WIRE.VARINT) integer = reader.integer();
    else if (field === INT_OR_STRING.STRING && wire === WIRE.BYTES) text = reader.text();
    else return false;
    return true;
  });
  return type === IS_STRING ? text : signed(integer, 32);
}
