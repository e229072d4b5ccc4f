import { revisionOf, type Revision } from '../../api/revision.ts';

/**
 * How records lie in the database, format 1. All numbers are big-endian, so that
 * keys order by their bytes.
 *
 * | table    | key                          | value                                        |
 * |----------|------------------------------|----------------------------------------------|
 * | log      | position                     | kind, previous position, key length, key, value |
 * | state    | key                          | position, deadline                           |
 * | versions | key, NUL, position           | kind                                         |
 * | expiry   | deadline, position           | key                                          |
 *
 * A position is a revision (8 bytes) and the index within it (2 bytes). The log
 * holds every value once; the state holds the newest position of each key that
 * exists, the versions every position that is still in the log.
 */
export const FORMAT = 1;

export type Kind = typeof CREATED | typeof UPDATED | typeof DELETED;
export const CREATED = 1;
export const UPDATED = 2;
export const DELETED = 3;

export const POSITION_BYTES = 10;
const NO_POSITION = Buffer.alloc(POSITION_BYTES);
const HEADER_BYTES = 1 + POSITION_BYTES + 2;

/** Position of an event in the log. */
export interface Position {
  readonly revision: Revision;
  readonly index: number;
}

export function encodePosition({ revision, index }: Position): Buffer {
  const bytes = Buffer.allocUnsafe(POSITION_BYTES);
  bytes.writeBigUInt64BE(revision);
  bytes.writeUInt16BE(index, 8);
  return bytes;
}

export function decodePosition(bytes: Buffer, offset = 0): Position {
  return {
    revision: revisionOf(bytes.readBigUInt64BE(offset)),
    index: bytes.readUInt16BE(offset + 8),
  };
}

export interface LogRecord {
  readonly kind: Kind;
  /** Position of the version that this one replaced; undefined for a created key. */
  readonly previous: Buffer | undefined;
  readonly key: Buffer;
  readonly value: Buffer;
}

export function encodeLogRecord({ kind, previous, key, value }: LogRecord): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + key.length + value.length);
  bytes.writeUInt8(kind);
  (previous ?? NO_POSITION).copy(bytes, 1);
  bytes.writeUInt16BE(key.length, 1 + POSITION_BYTES);
  key.copy(bytes, HEADER_BYTES);
  value.copy(bytes, HEADER_BYTES + key.length);
  return bytes;
}

/** Key and value share the memory of the record. */
export function decodeLogRecord(bytes: Buffer): LogRecord {
  const end = HEADER_BYTES + bytes.readUInt16BE(1 + POSITION_BYTES);
  const previous = bytes.subarray(1, 1 + POSITION_BYTES);
  return {
    kind: bytes.readUInt8() as Kind,
    previous: previous.equals(NO_POSITION) ? undefined : previous,
    key: bytes.subarray(HEADER_BYTES, end),
    value: bytes.subarray(end),
  };
}

export interface StateRecord {
  /** Encoded position of the newest version. */
  readonly position: Buffer;
  /** Store time in milliseconds at which the key vanishes; 0: never. */
  readonly deadline: bigint;
}

export function encodeStateRecord({ position, deadline }: StateRecord): Buffer {
  const bytes = Buffer.allocUnsafe(POSITION_BYTES + 8);
  position.copy(bytes);
  bytes.writeBigUInt64BE(deadline, POSITION_BYTES);
  return bytes;
}

export function decodeStateRecord(bytes: Buffer): StateRecord {
  return {
    position: bytes.subarray(0, POSITION_BYTES),
    deadline: bytes.readBigUInt64BE(POSITION_BYTES),
  };
}

export function revisionAt(position: Buffer): Revision {
  return revisionOf(position.readBigUInt64BE());
}

const NUL = Buffer.alloc(1);

export function versionKey(key: Buffer, position: Buffer): Buffer {
  return Buffer.concat([key, NUL, position]);
}

/** The key of a version; positions have a fixed length, and no key contains NUL. */
export function keyOfVersion(version: Buffer): Buffer {
  return version.subarray(0, version.length - POSITION_BYTES - 1);
}

export function positionOfVersion(version: Buffer): Buffer {
  return version.subarray(version.length - POSITION_BYTES);
}

export function expiryKey(deadline: bigint, position: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(8 + POSITION_BYTES);
  bytes.writeBigUInt64BE(deadline);
  position.copy(bytes, 8);
  return bytes;
}
