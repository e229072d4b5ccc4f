import type { Status } from '../api/status.ts';
import type { Revision } from '../api/revision.ts';
import type { Entry } from './entry.ts';
import type { EventType, HistoryEvent } from './history.ts';

/** How objects look on one stream: whole, as metadata only, as table rows, in another version. */
export interface Encoder {
  /** Streams with the same id show the same frames and share them; undefined: not shareable. */
  readonly id: string | undefined;
  /** The complete frame of a change, with its line feed. */
  event(type: EventType, entry: Entry): Buffer | Promise<Buffer>;
  /** Both states look alike on the stream, which then goes without an event. Absent: they never do. */
  isSame?(before: Entry, after: Entry): boolean;
  /** The frame of a bookmark; with `initialEventsEnd` the one that closes the initial state. */
  bookmark(revision: Revision, initialEventsEnd: boolean): Buffer;
  /** The last frame of a stream that cannot go on. Absent: {@link errorFrame}. */
  error?(status: Status): Buffer;
}

const SUFFIX = Buffer.from('}\n');

/** `{"type":"ADDED","object":…}` and a line feed around an object's finished bytes. */
export function eventFrame(type: EventType | 'BOOKMARK' | 'ERROR', object: Buffer): Buffer {
  const prefix = `{"type":"${type}","object":`;
  const frame = Buffer.allocUnsafeSlow(prefix.length + object.length + SUFFIX.length);
  frame.write(prefix, 0, 'latin1');
  object.copy(frame, prefix.length);
  SUFFIX.copy(frame, prefix.length + object.length);
  return frame;
}

/** The last frame of a stream that cannot go on, in JSON. */
export function errorFrame(status: Status): Buffer {
  return eventFrame('ERROR', Buffer.from(JSON.stringify(status)));
}

/**
 * The frame of an event, made once for all streams of the same encoder.
 * `leaving`: the object has left the selector, which shows as DELETED with the
 * old object under the event's revision (behaviours 4.12).
 */
export function sharedFrame(
  encoder: Encoder,
  event: HistoryEvent,
  type: EventType,
  leaving: boolean,
): Buffer | Promise<Buffer> {
  const entry =
    leaving && event.previous !== undefined
      ? event.previous.deletedAt(event.revision)
      : event.entry;
  if (encoder.id === undefined) return encoder.event(type, entry);
  const key = `${encoder.id} ${type} ${leaving}`;
  const cached = event.frames?.get(key);
  if (cached !== undefined) return cached;
  const frame = encoder.event(type, entry);
  if (frame instanceof Buffer) (event.frames ??= new Map()).set(key, frame);
  return frame;
}

/** Objects from this size on have frames that streams share while they send them as state. */
const LARGE_OBJECT_BYTES = 32 * 1024;
const stateFrames = new WeakMap<Entry, Map<string, WeakRef<Buffer>>>();

/** Whether the frame of an object of a state goes out by itself, see {@link stateFrame}. */
export function isLarge(frame: Buffer): boolean {
  return frame.length >= LARGE_OBJECT_BYTES;
}

/**
 * The ADDED frame of an object of a state. Streams that send a large
 * object at the same time share its frame, which is dropped afterwards.
 */
export function stateFrame(encoder: Encoder, entry: Entry): Buffer | Promise<Buffer> {
  const { id } = encoder;
  if (id === undefined || entry.bytes.length < LARGE_OBJECT_BYTES) {
    return encoder.event('ADDED', entry);
  }
  const frames = stateFrames.get(entry);
  const known = frames?.get(id)?.deref();
  if (known !== undefined) return known;
  const frame = encoder.event('ADDED', entry);
  if (frame instanceof Buffer) {
    if (frames === undefined) stateFrames.set(entry, new Map([[id, new WeakRef(frame)]]));
    else frames.set(id, new WeakRef(frame));
  }
  return frame;
}
