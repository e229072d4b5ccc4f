import type { Revision } from '../api/revision.ts';
import type { Entry } from './entry.ts';

/** Which objects of a collection a user may see. */
export interface Rights {
  /**
   * Has decided what {@link allows} needs of these; undefined: it is decided.
   *
   * @throws ApiError (also as rejection) when it cannot be decided
   */
  prepare(entries: readonly Entry[]): Promise<void> | undefined;
  /**
   * To be asked once it is decided.
   *
   * @throws ApiError 410 when a stream can no longer go on as it has begun
   */
  allows(entry: Entry): boolean;
}

/** Rights as they were decided at one moment. */
export interface DecidedRights extends Rights {
  /** Both allow the same of a namespace. What is not decided is not allowed. */
  isSame(other: DecidedRights, namespace: string): boolean;
}

/** Rights that change while a stream lasts. */
export interface ChangingRights extends Rights {
  /** By which the stream has shown objects so far; nothing is decided in it that it was not shown by. */
  readonly now: DecidedRights;
  /** They may have changed since `now`. Costs nothing: it is asked before each event. */
  readonly isStale: boolean;
  /** As they are at this moment. */
  next(): DecidedRights;
  /** The stream has shown what differs. */
  accept(next: DecidedRights): void;
  /** The rights have changed again since {@link next}, and no longer allow the object. */
  hasLost(entry: Entry): boolean;
  /** Whether a client that has seen everything up to a revision may have seen it by other rights. */
  changedSince(revision: Revision): Promise<boolean>;
  /** Called when they may have changed; the returned function ends that. */
  listen(wake: () => void): () => void;
}

/** How the objects of a stream's scope change with the rights of its user. */
export interface ScopeRights {
  readonly rights: ChangingRights;
  /** Selectors alone, whatever the rights are. */
  readonly selects: (entry: Entry) => boolean;
  readonly prepare: ((entries: readonly Entry[]) => Promise<void> | undefined) | undefined;
}
