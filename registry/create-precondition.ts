import type { Revision } from '../api/revision.ts';
import type { StoredItem } from '../storage/interface.ts';

/** Another object without which nothing may be created, and which must be open for it. */
export interface CreatePrecondition {
  /** What answers call it. */
  readonly what: string;
  readonly key: string;
  /**
   * The revision of the copy at hand, if that is open; it may be stale, so no
   * request is refused by it.
   */
  readonly known: Revision | undefined;
  /**
   * The revision of what stands in the store.
   *
   * @throws ApiError when nothing may be created under it
   */
  readonly judge: (item: StoredItem | undefined) => Revision;
  /** Waits until this server knows what the judged revision says, where the object depends on that. */
  readonly catchUp?: (revision: Revision) => Promise<void>;
}
