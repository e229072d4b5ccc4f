import { crc32 } from 'node:zlib';
import { standsAt } from '../../api/json-scan.ts';
import { revisionOf, type Revision } from '../../api/revision.ts';
import type { PageMemory } from './page-memory.ts';

/**
 * How records lie in the database, format 2. All numbers are big-endian, so that
 * keys order by their bytes.
 *
 * | table    | key                          | value                                        |
 * |----------|------------------------------|----------------------------------------------|
 * | log      | position                     | kind, previous position, key length, checksum, key, value |
 * | state    | key                          | position, deadline                           |
 * | versions | key, NUL, position           | kind                                         |
 * | expiry   | deadline, position           | key                                          |
 *
 * A position is a revision (8 bytes) and the index within it (2 bytes). The log
 * holds every value once; the state holds the newest position of each key that
 * exists, the versions every position that is still in the log.
 *
 * The checksum is the CRC-32 of the position and the rest of the record. Format 1
 * had none; the highest bit of the kind tells which records have one.
 */
export const FORMAT = 2;
/** Older formats that this version reads. */
export const OLDEST_FORMAT = 1;

export type Kind = typeof CREATED | typeof UPDATED | typeof DELETED;
export const CREATED = 1;
export const UPDATED = 2;
export const DELETED = 3;

export const POSITION_BYTES = 10;
/** Behind every index that a revision has. */
export const LAST_INDEX = 0xffff;
const NO_POSITION = Buffer.alloc(POSITION_BYTES);
const HEADER_BYTES = 1 + POSITION_BYTES + 2;
const CHECKSUM_BYTES = 4;
/** The position and the header stand before what else the checksum covers. */
const COVERED_HEAD_BYTES = POSITION_BYTES + HEADER_BYTES;
/** Of the byte that holds the kind. */
const HAS_CHECKSUM = 0x80;

/** Stands where a value cannot be read: no object has these bytes. */
export const UNREADABLE = Buffer.alloc(0);

/** Position of an event in the log. */
interface Position {
  readonly revision: Revision;
  readonly index: number;
}

/** Ten bytes, big-endian, so that bytes sort as positions do. */
export function encodePosition({ revision, index }: Position): Buffer {
  const bytes = Buffer.allocUnsafe(POSITION_BYTES);
  bytes.writeBigUInt64BE(revision);
  bytes.writeUInt16BE(index, 8);
  return bytes;
}

/** Reads what `encodePosition` writes, from `offset` on. */
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

interface StoredLogRecord extends LogRecord {
  /** Whether it was compared with its checksum: records of format 1 have none. */
  readonly checked: boolean;
}

/** The record that is going to lie at `position`. */
export function encodeLogRecord(
  { kind, previous, key, value }: LogRecord,
  position: Buffer,
): Buffer {
  const keyAt = HEADER_BYTES + CHECKSUM_BYTES;
  const bytes = Buffer.allocUnsafe(keyAt + key.length + value.length);
  bytes.writeUInt8(kind | HAS_CHECKSUM);
  (previous ?? NO_POSITION).copy(bytes, 1);
  bytes.writeUInt16BE(key.length, 1 + POSITION_BYTES);
  key.copy(bytes, keyAt);
  value.copy(bytes, keyAt + key.length);
  bytes.writeUInt32BE(checksumOf(bytes, position), HEADER_BYTES);
  return bytes;
}

/**
 * The record that lies at `position`; undefined when it is not what was written.
 * Key and value share the memory of the record.
 */
export function decodeLogRecord(bytes: Buffer, position: Buffer): StoredLogRecord | undefined {
  const parts = checkedParts(bytes, position);
  if (parts === undefined) return undefined;
  const previous = bytes.subarray(1, 1 + POSITION_BYTES);
  return {
    kind: parts.kind,
    previous: previous.equals(NO_POSITION) ? undefined : previous,
    key: bytes.subarray(parts.keyAt, parts.valueAt),
    value: bytes.subarray(parts.valueAt),
    checked: parts.isChecked,
  };
}

/** The value of the record at `position`, which shares its memory; UNREADABLE when it is not what was written for the key. */
export function valueOfRecord(bytes: Buffer, position: Buffer, key: Buffer): Buffer {
  const parts = checkedParts(bytes, position);
  if (parts === undefined) return UNREADABLE;
  const { keyAt, valueAt } = parts;
  return bytes.compare(key, 0, key.length, keyAt, valueAt) === 0
    ? bytes.subarray(valueAt)
    : UNREADABLE;
}

/** A value that a list gives, and whether it was compared with its checksum: those of format 1 have none. */
interface CopiedValue {
  readonly value: Buffer;
  readonly checked: boolean;
}

const NOT_COPIED: CopiedValue = { value: UNREADABLE, checked: false };

/**
 * {@link valueOfRecord} of bytes that the next read overwrites: the value is
 * copied to `memory`. What the checksum covers is put together there, so that
 * one call computes it.
 */
export function copyValue(
  bytes: Buffer,
  position: Buffer,
  key: Buffer,
  memory: PageMemory,
): CopiedValue {
  const parts = partsOf(bytes);
  if (parts === undefined) return NOT_COPIED;
  const { isChecked, keyAt, valueAt } = parts;
  if (key.length !== valueAt - keyAt || !standsAt(bytes, keyAt, key)) return NOT_COPIED;
  const covered = memory.take(COVERED_HEAD_BYTES + bytes.length - keyAt);
  // byte by byte: a call takes longer than so few bytes
  for (let at = 0; at < POSITION_BYTES; at++) covered[at] = position[at] as number;
  for (let at = 0; at < HEADER_BYTES; at++) covered[POSITION_BYTES + at] = bytes[at] as number;
  bytes.copy(covered, COVERED_HEAD_BYTES, keyAt, bytes.length);
  if (isChecked && bytes.readUInt32BE(HEADER_BYTES) !== crc32(covered)) return NOT_COPIED;
  const value = covered.subarray(COVERED_HEAD_BYTES + valueAt - keyAt);
  return { value, checked: isChecked };
}

interface Parts {
  readonly kind: Kind;
  readonly isChecked: boolean;
  readonly keyAt: number;
  readonly valueAt: number;
}

/** Where the parts of a record lie; undefined when it cannot be one. */
function partsOf(bytes: Buffer): Parts | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const first = bytes.readUInt8();
  const isChecked = (first & HAS_CHECKSUM) !== 0;
  const keyAt = isChecked ? HEADER_BYTES + CHECKSUM_BYTES : HEADER_BYTES;
  const valueAt = keyAt + bytes.readUInt16BE(1 + POSITION_BYTES);
  const kind = (first & ~HAS_CHECKSUM) as Kind;
  if (bytes.length < valueAt || kind < CREATED || kind > DELETED) return undefined;
  return { kind, isChecked, keyAt, valueAt };
}

function checkedParts(bytes: Buffer, position: Buffer): Parts | undefined {
  const parts = partsOf(bytes);
  if (parts?.isChecked !== true) return parts;
  return bytes.readUInt32BE(HEADER_BYTES) === checksumOf(bytes, position) ? parts : undefined;
}

function checksumOf(bytes: Buffer, position: Buffer): number {
  const header = crc32(bytes.subarray(0, HEADER_BYTES), crc32(position));
  return crc32(bytes.subarray(HEADER_BYTES + CHECKSUM_BYTES), header);
}

export interface StateRecord {
  /** Encoded position of the newest version. */
  readonly position: Buffer;
  /** Store time in milliseconds at which the key vanishes; 0: never. */
  readonly deadline: bigint;
}

/** Position and deadline, in 18 bytes. */
export function encodeStateRecord({ position, deadline }: StateRecord): Buffer {
  const bytes = Buffer.allocUnsafe(POSITION_BYTES + 8);
  position.copy(bytes);
  bytes.writeBigUInt64BE(deadline, POSITION_BYTES);
  return bytes;
}

/** Reads what `encodeStateRecord` writes; `position` is a view of `bytes`. */
export function decodeStateRecord(bytes: Buffer): StateRecord {
  return {
    position: bytes.subarray(0, POSITION_BYTES),
    deadline: bytes.readBigUInt64BE(POSITION_BYTES),
  };
}

/**
 * Copies the position of a {@link StateRecord} into `position`. Byte by byte: as a
 * part of such small bytes, also for `copy`, V8 first gives them memory outside
 * the heap, which takes 1.3 µs and makes work for the collector.
 */
export function copyPositionOfState(bytes: Buffer, position: Buffer): void {
  for (let at = 0; at < POSITION_BYTES; at++) position[at] = bytes[at] as number;
}

/** The revision of an encoded position. */
export function revisionAt(position: Buffer): Revision {
  return revisionOf(position.readBigUInt64BE());
}

const NUL = Buffer.alloc(1);

/** Key of a version: versions of one key lie together, in the order of their positions. */
export function versionKey(key: Buffer, position: Buffer): Buffer {
  return Buffer.concat([key, NUL, position]);
}

/** The key of a version; positions have a fixed length, and no key contains NUL. */
export function keyOfVersion(version: Buffer): Buffer {
  return version.subarray(0, version.length - POSITION_BYTES - 1);
}

/** The position at the end of a version's key, as a view. */
export function positionOfVersion(version: Buffer): Buffer {
  return version.subarray(version.length - POSITION_BYTES);
}

/** Key by which the next object to expire comes first. */
export function expiryKey(deadline: bigint, position: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(8 + POSITION_BYTES);
  bytes.writeBigUInt64BE(deadline);
  position.copy(bytes, 8);
  return bytes;
}
