// Made from conflicts.ts by `npm run generate:twins`: the same without rests.
import type { OwnedConflict } from './ownership.ts';
import { pathTexts } from './fields-v1-at-once.ts';
import { type ApplyConflict, orderText } from './conflicts.ts';

/** The conflicts field by field, managers in the order in which they are told. */
export function listConflicts(owned: readonly OwnedConflict[]): ApplyConflict[] {
  const conflicts: ApplyConflict[] = [];
  const inOrder = [...owned].sort((a, b) => (orderText(a.manager) < orderText(b.manager) ? -1 : 1));
  for (const { manager, fields } of inOrder) {
    for (const path of pathTexts(fields)) {
      conflicts.push({ manager: manager.identity, path });
    }
  }
  return conflicts;
}
