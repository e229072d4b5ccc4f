import type { Entry } from '../watch/entry.ts';
import type { ChangingRights, Rights, ScopeRights } from '../watch/rights.ts';
import type { Selection } from './object-selection.ts';

/**
 * A selection of what a user may see. Rights are asked first: selectors, filters
 * and conversions look at no other object, so that neither their answers nor
 * their failures tell of it.
 */
export function withinRights(selection: Selection, rights: Rights): Selection {
  // indexes would answer with tests of their own, which do not ask for rights
  const { terms: _, ...unindexed } = selection;
  const prepareAllowed = (entries: readonly Entry[]): Promise<void> | undefined =>
    selection.prepare?.(entries.filter((entry) => rights.allows(entry)));
  return {
    ...unindexed,
    everything: false,
    matches: (entry) => rights.allows(entry) && selection.matches(entry),
    prepare(entries) {
      const wait = rights.prepare(entries);
      return wait === undefined
        ? prepareAllowed(entries)
        : wait.then(() => prepareAllowed(entries));
    },
    rights: isChanging(rights) ? scopeRights(selection, rights) : undefined,
  };
}

function scopeRights(selection: Selection, rights: ChangingRights): ScopeRights {
  return {
    rights,
    selects: (entry) => selection.matches(entry),
    prepare: (entries) => selection.prepare?.(entries),
  };
}

function isChanging(rights: Rights): rights is ChangingRights {
  return 'isStale' in rights;
}
