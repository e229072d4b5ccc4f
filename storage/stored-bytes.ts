import { canonicalJson } from '../api/json-write.ts';
import { canonicalSteps } from '../api/json-write-steps.ts';
import { type ApiObject } from '../api/object.ts';
import type { Revision } from '../api/revision.ts';
import type { Steps } from '../api/steps.ts';

/**
 * The stored form of an object: canonical JSON, exactly what is served but for
 * `metadata.resourceVersion`, which is the revision that the store gives to the
 * write. It is spliced in once, right behind `"metadata":{`, when the bytes
 * reach a replica: canonical text begins with apiVersion, kind and metadata, and
 * a quote inside a string is escaped, so the first match is the root's own.
 */
const METADATA_OPEN = Buffer.from('"metadata":{');
const CLOSING_BRACE = 0x7d;

/** Canonical bytes without resourceVersion. The object itself is not changed. */
export function* storedSteps(object: ApiObject): Steps<Buffer> {
  return yield* canonicalSteps(withoutRevision(object));
}

/** {@link storedSteps} without a pause. */
export function encodeStored(object: ApiObject): Buffer {
  return Buffer.from(canonicalJson(withoutRevision(object)), 'utf8');
}

function withoutRevision(object: ApiObject): ApiObject {
  if (!Object.hasOwn(object.metadata, 'resourceVersion')) return object;
  // not by delete: what has lost a field so is slow to read
  const { resourceVersion: _revision, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Served bytes of an object that is not read from a replica (a dry run); keeps its resourceVersion. */
export function encodeServed(object: ApiObject): Buffer {
  return Buffer.from(canonicalJson(object), 'utf8');
}

/** {@link encodeServed} in steps. */
export function* servedSteps(object: ApiObject): Steps<Buffer> {
  return yield* canonicalSteps(object);
}

/**
 * Position behind `"metadata":{`, or -1 when the bytes are not an object that
 * this server has written.
 */
export function metadataOffset(stored: Buffer): number {
  const at = stored.indexOf(METADATA_OPEN);
  return at < 0 ? -1 : at + METADATA_OPEN.length;
}

/** Stored bytes with their revision spliced in: the finished bytes that every read sends. */
export function spliceRevision(stored: Buffer, offset: number, revision: Revision): Buffer {
  const field = fieldFor(stored, offset, revision);
  const finished = Buffer.allocUnsafeSlow(stored.length + field.length);
  spliceField(stored, offset, field, finished, 0);
  return finished;
}

/** What {@link spliceField} adds to stored bytes. */
export function fieldFor(stored: Buffer, offset: number, revision: Revision): string {
  return revisionField(revision, stored[offset] === CLOSING_BRACE);
}

/** Writes finished bytes at `start` of a memory that has room for them. */
export function spliceField(
  stored: Buffer,
  offset: number,
  field: string,
  memory: Buffer,
  start: number,
): void {
  // all of it, then its head again: 0.15 µs for 1 KB, and 0.25 by copies of two views
  const moved = start + field.length;
  memory.set(stored, moved);
  memory.copyWithin(start, moved, moved + offset);
  memory.write(field, start + offset, 'latin1');
}

/**
 * Finished bytes of the same object at another revision: a deletion shows the
 * last state at its own. `field`: see {@link otherField}.
 */
export function respliceField(
  finished: Buffer,
  { offset, end, field }: OtherField,
  memory: Buffer,
  start: number,
): void {
  finished.copy(memory, start, 0, offset);
  memory.write(field, start + offset, 'latin1');
  finished.copy(memory, start + offset + field.length, end);
}

/** What stands in finished bytes from `offset` to `end` at another revision. */
interface OtherField {
  readonly offset: number;
  readonly end: number;
  readonly field: string;
}

/** The place of the revision in finished bytes, and the text that replaces it. */
export function otherField(offset: number, before: Revision, after: Revision): OtherField {
  const end = offset + revisionField(before, true).length;
  return { offset, end, field: revisionField(after, true) };
}

function revisionField(revision: Revision, last: boolean): string {
  return `"resourceVersion":"${revision}"${last ? '' : ','}`;
}
