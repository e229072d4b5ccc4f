import type { AdmissionAttributes } from '../attributes.ts';
import { mayMatch, type MatchPolicy } from './matched-version.ts';
import { placeOf, type Rule } from './rule.ts';

/** Something with rules: a webhook, a policy. */
export interface Ruled {
  readonly rules: readonly Rule[];
  readonly matchPolicy: MatchPolicy;
}

/**
 * Those of a list whose rules may match a request, in their order. Found once
 * for every operation on a resource: what no rule is about costs a look-up,
 * however many rules there are. Belongs to one state of the list.
 */
export class Candidates<T extends Ruled> {
  readonly #all: readonly T[];
  /** By what is known of the kind, which is another when its definition changes. */
  readonly #byKind = new WeakMap<object, Map<string, readonly T[]>>();

  constructor(all: readonly T[]) {
    this.#all = all;
  }

  for(attributes: AdmissionAttributes): readonly T[] {
    if (this.#all.length === 0) return this.#all;
    const { access } = attributes;
    const place = placeOf(attributes);
    const known = this.#byKind.get(access) ?? new Map<string, readonly T[]>();
    this.#byKind.set(access, known);
    const key = `${place.operation} ${place.isClusterScoped}`;
    let found = known.get(key);
    if (found === undefined) {
      found = this.#all.filter(({ rules, matchPolicy }) =>
        mayMatch(rules, matchPolicy, place, access.equivalents),
      );
      known.set(key, found);
    }
    return found;
  }
}
