import type { AdmissionChain } from '../admission/chain.ts';
import type { Clock } from '../api/clock.ts';
import type { Store } from '../storage/interface.ts';
import type { Reader } from '../watch/reader.ts';
import type { Watcher } from '../watch/watcher.ts';
import type { Catalog } from './catalog.ts';
import type { FieldTracker } from './field-tracker.ts';
import type { Views } from './views.ts';

/** What the verbs are made of; wired once in the server's main. */
export interface RegistryParts {
  readonly store: Store;
  readonly reader: Reader;
  readonly watcher: Watcher;
  readonly catalog: Catalog;
  readonly admission: AdmissionChain;
  readonly views: Views;
  readonly fields: FieldTracker;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly newUid: () => string;
  /** How long a watch lasts at least, unless its client says how long. */
  readonly minWatchMs: number;
}
