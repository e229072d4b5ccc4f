import type { Revision } from '../api/revision.ts';
import type { FinishedPart, ListResult } from './interface.ts';

/** What a thread reads: the pages of one revision that follow a key. */
export interface PageJob {
  readonly revision: Revision;
  readonly after: string;
  /** As in the options of a list. */
  readonly slabBytes: number | undefined;
}

/**
 * A page on its way from the thread that has read it: keys and values one after
 * the other in memory that changes hands, because a copy of each takes longer.
 */
export interface PackedPage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For each object the end of its key and of its value. */
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly revisions: BigUint64Array<ArrayBuffer>;
  readonly more: boolean;
  readonly checked: boolean;
}

/** A part on its way. */
export interface PackedPart {
  readonly finished: FinishedPart;
  readonly more: boolean;
}

/** A page, or that there will be none: reading here says why. */
export type PageAnswer = PackedPage | PackedPart | 'failed';

/** What the thread is told: that a page was taken, or to end. */
export type PageRequest = 'taken' | 'end';

/** The page in buffers that can be transferred to another thread. */
export function packPage({ items, more, checked }: ListResult): PackedPage {
  let length = 0;
  for (const { key, value } of items) length += Buffer.byteLength(key) + value.length;
  const bytes = Buffer.allocUnsafeSlow(length);
  const ends = new Uint32Array(items.length * 2);
  const revisions = new BigUint64Array(items.length);
  let at = 0;
  for (const [i, { key, value, revision }] of items.entries()) {
    ends[2 * i] = at += bytes.write(key, at);
    bytes.set(value, at);
    ends[2 * i + 1] = at += value.length;
    revisions[i] = revision;
  }
  return { bytes, ends, revisions, more, checked: checked === true };
}

/** The buffers that change hands with an answer. */
export function buffersOf(answer: PageAnswer): ArrayBuffer[] {
  if (answer === 'failed') return [];
  if ('finished' in answer) {
    const { memory, revisions, shapes } = answer.finished;
    return [memory.buffer, revisions.buffer, shapes.buffer];
  }
  return [answer.bytes.buffer, answer.ends.buffer, answer.revisions.buffer];
}

/** The page that was packed; its items share the memory of the buffers. */
export function unpackPage(page: PackedPage | PackedPart, revision: Revision): ListResult {
  if ('finished' in page) return { revision, items: [], checked: true, ...page };
  const { ends, more, checked } = page;
  const bytes = Buffer.from(page.bytes.buffer);
  let at = 0;
  const items = Array.from(page.revisions, (written, i) => {
    const [start, keyEnd, end] = [at, ends[2 * i] as number, ends[2 * i + 1] as number];
    at = end;
    const key = bytes.toString('utf8', start, keyEnd);
    return { key, value: bytes.subarray(keyEnd, end), revision: written as Revision };
  });
  return { revision, items, more, checked };
}
