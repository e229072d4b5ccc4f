/**
 * What clients saw, and when. Times are milliseconds of one monotonic clock, the
 * one of the process that all clients of a run live in. Every write writes a
 * value that no other write of the run writes.
 */
export interface History {
  readonly writes: readonly Write[];
  readonly reads: readonly Read[];
  readonly lists: readonly List[];
  readonly watches: readonly WatchLog[];
  readonly unions: readonly UnionLog[];
}

/** What an object holds, as far as the checker looks: enough for a selector to change its mind. */
export interface Content {
  readonly value: string;
  readonly color: string;
}

export interface Version extends Content {
  readonly key: string;
  readonly revision: bigint;
}

export interface Operation {
  readonly client: string;
  /** Which server was asked; helps to find the cause of a violation. */
  readonly server?: string;
  readonly called: number;
  /** Infinity when no answer came. */
  readonly returned: number;
}

export interface Write extends Operation {
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly key: string;
  /** What it writes; nothing for a delete. */
  readonly content?: Content;
  /** The version that it replaces or deletes; a create replaces none, a patch whatever is there. */
  readonly expected?: bigint;
  readonly outcome: WriteOutcome;
}

export type WriteOutcome =
  /** Answered well; a delete does not tell its revision. */
  | { readonly kind: 'applied'; readonly revision: bigint | undefined }
  /** Answered with a refusal: `exists`, `missing` and `conflict` say what was found, `other` nothing. */
  | { readonly kind: 'refused'; readonly why: 'exists' | 'missing' | 'conflict' | 'other' }
  /** No answer, or one that promises nothing. */
  | { readonly kind: 'unknown' };

/** A linearizable get. */
export interface Read extends Operation {
  readonly key: string;
  /** Undefined: there was none. */
  readonly found: Version | undefined;
}

/** Which part of the objects a client asks for. */
export interface View {
  /** Only objects of this color; undefined: all. */
  readonly color: string | undefined;
  /** What tells the server the color; a label selector when absent. */
  readonly by?: 'filter' | 'fieldSelector';
  /** With `fields=spec.color`: values are not shown, and changes inside the view are not told unless they change the color. */
  readonly colorOnly?: boolean;
}

/** A list, all its pages together. */
export interface List extends Operation, View {
  /** False for a list that was allowed to be old. */
  readonly linearizable: boolean;
  /** Of the last page. */
  readonly revision: bigint;
  /** Of every page, when there are several. */
  readonly pages?: readonly bigint[];
  readonly items: readonly Version[];
}

/** What one watcher saw over all its connections. */
export interface WatchLog extends View {
  readonly client: string;
  readonly segments: readonly Segment[];
  /** The watcher was still there when the run was over, and had the time to see everything. */
  readonly complete: boolean;
}

/** One connection of a stream with several subscriptions; what each of them saw is a WatchLog. */
export interface UnionLog {
  readonly client: string;
  /** Of the events of all subscriptions and of the bookmarks of the whole, as they came. */
  readonly revisions: readonly bigint[];
}

/** Begins behind a list; ends when the server says that history is gone, or with the run. */
export interface Segment {
  /** The list that it goes on from is among the lists of the history. */
  readonly from: bigint;
  readonly frames: readonly Frame[];
}

export type Frame =
  | ({ readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly at: number } & Version)
  | { readonly type: 'BOOKMARK'; readonly at: number; readonly revision: bigint };

/** An object as a view shows it. */
export function shown<T extends Content>(content: T, { colorOnly }: View): T {
  return colorOnly === true ? { ...content, value: '' } : content;
}

/** What is wrong, for the one who looks for the reason. */
export interface Violation {
  readonly guarantee: string;
  readonly what: string;
}

export function show(version: Version | undefined): string {
  return version === undefined ? 'nothing' : `${version.key}@${version.revision} ${version.value}`;
}
