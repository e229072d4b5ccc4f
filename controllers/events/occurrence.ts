import { createHash } from 'node:crypto';
import { DEFAULT_NAMESPACE } from '../../api/naming.ts';

/** The object that an Event is about. `namespace` is empty for objects of the cluster. */
export interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Something that an operator should know about an object. */
export interface Occurrence {
  readonly regarding: Regarding;
  readonly type: 'Normal' | 'Warning';
  /** What happened, and what the server was doing: one CamelCase word each. */
  readonly reason: string;
  readonly action: string;
  /** For people. Cut to 1,024 bytes in the Event. */
  readonly note: string;
}

/** The limits of the Event's fields, in bytes. */
const MAX_NOTE_BYTES = 1024;
const MAX_NAME_CHARACTERS = 200;
const HASH_CHARACTERS = 16;

/** Equal for occurrences that one Event counts. */
export function identityOf({ regarding, type, reason, action, note }: Occurrence): string {
  const { apiVersion, kind, namespace, name, uid } = regarding;
  return [apiVersion, kind, namespace, name, uid, type, reason, action, note].join('\0');
}

/** The same on every server, so that servers count one occurrence in one Event. */
export function eventNameOf(occurrence: Occurrence): string {
  const { name } = occurrence.regarding;
  const hash = createHash('sha256').update(identityOf(occurrence)).digest('hex');
  const short = name.slice(0, MAX_NAME_CHARACTERS).replace(/[^a-z0-9]+$/, '');
  return `${short}.${hash.slice(0, HASH_CHARACTERS)}`;
}

/** Where its Event lives: with the object, or in `default` for objects of the cluster. */
export function eventNamespaceOf({ regarding }: Occurrence): string {
  return regarding.namespace === '' ? DEFAULT_NAMESPACE : regarding.namespace;
}

/** The note as the Event may hold it; never cuts a character in two. */
export function eventNote({ note }: Occurrence): string {
  const bytes = Buffer.from(note);
  if (bytes.length <= MAX_NOTE_BYTES) return note;
  const mark = '…';
  let end = MAX_NOTE_BYTES - Buffer.byteLength(mark);
  // a byte 10xxxxxx continues a character
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end) + mark;
}
