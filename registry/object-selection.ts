import type { Scope } from '../watch/scope.ts';

/** Which objects of a collection a request is about. */
export interface Selection extends Scope {
  /** True when every object of the range matches. */
  readonly everything: boolean;
  /** Labels alone select, which memory holds of each object. */
  readonly isByLabels?: boolean;
  /** At most one object, by its name. */
  readonly isOne: boolean;
  /** To select may cost more than a request may: `matches` throws then. */
  readonly mayRefuse?: boolean;
}
