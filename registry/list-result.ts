import type { Revision } from '../api/revision.ts';
import type { Entry } from '../watch/entry.ts';
import type { Stretch } from '../watch/ordered-map.ts';

/** Objects of a collection at one revision, as references; their bytes are put together when they are sent. */
export interface ListResult {
  readonly revision: Revision;
  /** Empty: the list is complete. */
  readonly continueToken: string;
  /** Objects after this page; undefined where a selector makes it unknown. */
  readonly remaining: number | undefined;
  /** Keys of the objects in the range that cannot be read: the list goes without them. */
  readonly unreadable: readonly string[];
  /** In key order; each chunk is about a millisecond of work. */
  readonly chunks: AsyncIterable<Entry[]>;
  /** Where each chunk lies in memory, if it does and nothing of it was selected. */
  readonly stretches?: readonly Stretch<Entry>[] | undefined;
  /** All of them, where they are few and at hand. */
  readonly items?: (() => readonly Entry[]) | undefined;
}

/** A list before it is known what of it cannot be read. */
export type Page = Omit<ListResult, 'unreadable'>;
