import { checkWrites } from './causes.ts';
import type { History, Violation } from './history.ts';
import { checkLinearizable } from './linearizable.ts';
import { checkLists } from './lists.ts';
import type { Truth } from './truth.ts';
import { checkUnions, checkWatches } from './watches.ts';

/** Everything that a run may be blamed for; empty when the server kept its guarantees. */
export function check(truth: Truth, history: History): Violation[] {
  const { causes, violations } = checkWrites(truth, history.writes);
  return [
    ...violations,
    ...checkLinearizable(truth, causes, history),
    ...checkLists(truth, history.lists),
    ...checkWatches(truth, causes, history.watches),
    ...checkUnions(history.unions),
  ];
}
