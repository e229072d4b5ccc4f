import { onSignedOut } from '../api/http.ts';
import { resourceName, type Kind } from '../api/kind.ts';
import { hashOf, type TableQuery } from '../state/route.ts';
import { session } from '../state/session.ts';
import { visit } from '../state/visits.ts';
import { GRID_PLACE } from './grid-place.ts';
import { TableModel } from './model.ts';

/** Tables that are kept after they were left. */
const MOST_LEFT = 2;
const left = new Map<string, TableModel>();

/**
 * The objects of a kind. Where the user comes back to them, those that were read
 * before, with what has changed since.
 */
export function modelOf(kind: Kind, query: TableQuery): TableModel {
  const key = keyOf(kind, query);
  const known = left.get(key);
  left.delete(key);
  if (known !== undefined && GRID_PLACE.of(visit.peek()) !== undefined) {
    known.resume();
    return known;
  }
  known?.close();
  return new TableModel(kind, query);
}

/** Keeps a table that is not shown any more, for the way back; not where the session has ended. */
export function leave(model: TableModel): void {
  const isOver = session.peek() !== 'signed-in';
  if (isOver || !model.isLoaded.value || model.error.value !== undefined) {
    model.close();
    return;
  }
  model.pause();
  const key = keyOf(model.kind, model.query);
  left.get(key)?.close();
  left.delete(key);
  left.set(key, model);
  const [oldest] = left;
  if (left.size <= MOST_LEFT || oldest === undefined) return;
  left.delete(oldest[0]);
  oldest[1].close();
}

function keyOf(kind: Kind, query: TableQuery): string {
  return `${resourceName(kind)} ${hashOf({ view: 'table', kind, query: { ...query, find: '' } })}`;
}

// the next user of this page may not be allowed to see them
onSignedOut(() => {
  for (const model of left.values()) model.close();
  left.clear();
});
