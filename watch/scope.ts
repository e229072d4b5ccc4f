import type { Entry } from './entry.ts';
import type { IndexTerm } from './index/term.ts';
import type { ScopeRights } from './rights.ts';
import type { KeyRange } from './snapshot.ts';

/** Which objects a stream is about. */
export interface Scope {
  readonly range: KeyRange;
  /** Matching may take long: it reads the object. */
  readonly isCostly?: boolean;
  /** Set where it holds what a user may see, and changes with that. */
  readonly rights?: ScopeRights | undefined;
  /** Selectors; called with entries inside the range only. */
  matches(entry: Entry): boolean;
  /** Conditions of the selectors that indexes can answer. Absent: none. */
  readonly terms?: readonly IndexTerm[];
  /**
   * Has made what selectors and encoders need of these, many at a time; undefined
   * when it is there. Absent: it always is.
   *
   * @throws ApiError (as rejection)
   */
  readonly prepare?: ((entries: readonly Entry[]) => Promise<void> | undefined) | undefined;
}
