import type { ProtobufWriter } from '../../api/protobuf/writer.ts';
import { parseMicroTime, parseTime } from '../../api/time.ts';

/** What `scalars.ts` reads. The writer goes backwards: the last field comes first. */

/** Negative integers are written as two's complement of 64 bits, whatever their size. */
export function writeInteger(writer: ProtobufWriter, field: number, value: number | bigint): void {
  writer.chosen(field, value < 0 ? BigInt.asUintN(64, BigInt(value)) : value);
}

const TIME = { SECONDS: 1, NANOSECONDS: 2 } as const;

/** @throws Error for a text that is not a time: objects are stored with canonical ones */
export function writeTime(writer: ProtobufWriter, text: string, kind: 'time' | 'microTime'): void {
  const micros = kind === 'time' ? microsOf(parseTime(text)) : parseMicroTime(text);
  if (micros === undefined) throw new Error(`not a time: ${text}`);
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  writer.integer(TIME.NANOSECONDS, fraction * 1000n);
  writeInteger(writer, TIME.SECONDS, (micros - fraction) / 1_000_000n);
}

function microsOf(ms: number | undefined): bigint | undefined {
  return ms === undefined ? undefined : BigInt(ms) * 1000n;
}

const INT_OR_STRING = { TYPE: 1, INT: 2, STRING: 3 } as const;
const IS_STRING = 1;

/** The message IntOrString: its type is written in both cases, as Go does. */
export function writeIntOrString(writer: ProtobufWriter, value: number | string): void {
  if (typeof value === 'string') {
    writer.text(INT_OR_STRING.STRING, value);
    writer.chosen(INT_OR_STRING.TYPE, IS_STRING);
  } else {
    writeInteger(writer, INT_OR_STRING.INT, value);
    writer.chosen(INT_OR_STRING.TYPE, 0);
  }
}
