import { revisionOf, type Revision } from '../../api/revision.ts';
import { isStoreError, StoreError, type StoreErrorCode } from '../errors.ts';
import type { BatchOperation, Guard, StoreHealth } from '../interface.ts';
import type { Transaction, WriteResult } from '../outcomes.ts';
import { type Frame, FrameError, type FrameWriter } from './frames.ts';

/** What a process asks of the one that owns the store. */
export type Request =
  | {
      readonly kind: 'write';
      readonly transaction: Transaction;
      readonly ttlSeconds: number | undefined;
      readonly caller: string;
    }
  | { readonly kind: 'compact'; readonly revision: Revision }
  | { readonly kind: 'health' };

export type Answer =
  /** A conflict comes without what stands there, which the other side reads. */
  | { readonly kind: 'written'; readonly result: WriteResult }
  | { readonly kind: 'compacted' }
  | { readonly kind: 'health'; readonly health: StoreHealth }
  | { readonly kind: 'failed'; readonly error: Error };

/** The first byte of a frame. */
const KIND = {
  write: 1,
  compact: 2,
  health: 3,
  /** The owner tells everyone which revision it has committed. */
  revision: 16,
  ok: 17,
  conflict: 18,
  guarded: 19,
  compacted: 20,
  healthy: 21,
  failed: 22,
} as const;

const OPERATIONS = ['create', 'update', 'delete'] as const;
/** The numbers that stand for them; the compiler sees that none is missing. */
const ERROR_CODES: Readonly<Record<StoreErrorCode, number>> = {
  ...{ unavailable: 0, timeout: 1, compacted: 2, futureRevision: 3, tooLarge: 4 },
  ...{ outOfSpace: 5, reset: 6, denied: 7, corrupt: 8, cancelled: 9 },
};
const CODES_OF_NUMBERS = new Map(
  Object.entries(ERROR_CODES).map(([code, number]) => [number, code as StoreErrorCode]),
);
/** Any other error, which is a defect. */
const OTHER_ERROR = 255;
/** Callers are told apart by no more than this much of their names. */
const MAX_CALLER_CHARACTERS = 256;
/** A message is one line; a longer one is cut. */
const MAX_MESSAGE_CHARACTERS = 4_096;

/** Writes one frame; the answer carries the same `id`. */
export function encodeRequest(writer: FrameWriter, id: number, request: Request): void {
  writer.begin(KIND[request.kind], id);
  if (request.kind === 'write') encodeWrite(writer, request);
  else if (request.kind === 'compact') writer.uint64(request.revision);
  writer.end();
}

/** @throws FrameError */
export function decodeRequest(frame: Frame): Request {
  const request = requestOf(frame);
  frame.end();
  return request;
}

function requestOf(frame: Frame): Request {
  switch (frame.kind) {
    case KIND.write:
      return decodeWrite(frame);
    case KIND.compact:
      return { kind: 'compact', revision: revisionOf(frame.uint64()) };
    case KIND.health:
      return { kind: 'health' };
    default:
      throw unknown(frame);
  }
}

/** Writes one frame with the `id` of its request. */
export function encodeAnswer(writer: FrameWriter, id: number, answer: Answer): void {
  switch (answer.kind) {
    case 'written':
      encodeResult(writer, id, answer.result);
      break;
    case 'compacted':
      writer.begin(KIND.compacted, id);
      break;
    case 'health':
      writer.begin(KIND.healthy, id);
      // a reason is never empty
      writer.text(answer.health.writesRefused ?? '');
      break;
    case 'failed':
      encodeError(writer, id, answer.error);
  }
  writer.end();
}

/** @throws FrameError */
export function decodeAnswer(frame: Frame): Answer {
  const answer = answerOf(frame);
  frame.end();
  return answer;
}

function answerOf(frame: Frame): Answer {
  switch (frame.kind) {
    case KIND.ok:
      return written({ outcome: 'ok', revision: revisionOf(frame.uint64()) });
    case KIND.conflict:
      return written({ outcome: 'conflict', key: frame.text() });
    case KIND.guarded:
      return written({ outcome: 'guarded', guard: decodeGuard(frame) });
    case KIND.compacted:
      return { kind: 'compacted' };
    case KIND.healthy: {
      const reason = frame.text();
      return { kind: 'health', health: { writesRefused: reason === '' ? undefined : reason } };
    }
    case KIND.failed:
      return { kind: 'failed', error: decodeError(frame) };
    default:
      throw unknown(frame);
  }
}

/** The word that a revision has been committed answers no request. */
export function encodeRevision(writer: FrameWriter, revision: Revision): void {
  writer.begin(KIND.revision, 0);
  writer.uint64(revision);
  writer.end();
}

/** Undefined when the frame is an answer. @throws FrameError */
export function decodeRevision(frame: Frame): Revision | undefined {
  if (frame.kind !== KIND.revision) return undefined;
  const revision = revisionOf(frame.uint64());
  frame.end();
  return revision;
}

function encodeWrite(
  writer: FrameWriter,
  { transaction, ttlSeconds, caller }: Request & { kind: 'write' },
): void {
  const { operations, guards } = transaction;
  writer.double(ttlSeconds ?? Number.NaN);
  writer.text(caller.slice(0, MAX_CALLER_CHARACTERS));
  writer.uint32(operations.length);
  for (const operation of operations) {
    writer.uint8(OPERATIONS.indexOf(operation.op));
    writer.text(operation.key);
    if (operation.op !== 'create') writer.uint64(operation.expected);
    if (operation.op !== 'delete') writer.bytes(operation.value);
  }
  writer.uint32(guards.length);
  for (const guard of guards) encodeGuard(writer, guard);
}

function decodeWrite(frame: Frame): Request {
  const ttl = frame.double();
  const caller = frame.text();
  const operations = many(frame, decodeOperation);
  const guards = many(frame, decodeGuard);
  const ttlSeconds = Number.isNaN(ttl) ? undefined : ttl;
  return { kind: 'write', transaction: { operations, guards }, ttlSeconds, caller };
}

function decodeOperation(frame: Frame): BatchOperation {
  const op = OPERATIONS[frame.uint8()];
  const key = frame.text();
  switch (op) {
    case 'create':
      return { op, key, value: frame.bytes() };
    case 'update':
      return { op, key, expected: revisionOf(frame.uint64()), value: frame.bytes() };
    case 'delete':
      return { op, key, expected: revisionOf(frame.uint64()) };
    default:
      throw new FrameError('an unknown operation');
  }
}

/** Each takes bytes of the frame, so a count beyond what is there ends at the end of the frame. */
function many<T>(frame: Frame, decode: (frame: Frame) => T): T[] {
  const all: T[] = [];
  for (let left = frame.uint32(); left > 0; left--) all.push(decode(frame));
  return all;
}

function encodeGuard(writer: FrameWriter, { key, revision }: Guard): void {
  writer.text(key);
  writer.uint64(revision);
}

function decodeGuard(frame: Frame): Guard {
  return { key: frame.text(), revision: revisionOf(frame.uint64()) };
}

function encodeResult(writer: FrameWriter, id: number, result: WriteResult): void {
  if (result.outcome === 'ok') {
    writer.begin(KIND.ok, id);
    writer.uint64(result.revision);
  } else if (result.outcome === 'guarded') {
    writer.begin(KIND.guarded, id);
    encodeGuard(writer, result.guard);
  } else {
    writer.begin(KIND.conflict, id);
    writer.text(result.key);
  }
}

function encodeError(writer: FrameWriter, id: number, error: Error): void {
  writer.begin(KIND.failed, id);
  const isTyped = isStoreError(error);
  writer.uint8(isTyped ? ERROR_CODES[error.code] : OTHER_ERROR);
  writer.text(error.message.slice(0, MAX_MESSAGE_CHARACTERS));
  writer.uint64((isTyped ? error.compactRevision : undefined) ?? 0n);
}

function decodeError(frame: Frame): Error {
  const code = CODES_OF_NUMBERS.get(frame.uint8());
  const message = frame.text();
  const compactRevision = revisionOf(frame.uint64());
  if (code === undefined) return new Error(message);
  return new StoreError(code, message, compactRevision === 0n ? {} : { compactRevision });
}

function written(result: WriteResult): Answer {
  return { kind: 'written', result };
}

function unknown({ kind }: Frame): FrameError {
  return new FrameError(`an unknown frame of kind ${kind}`);
}
