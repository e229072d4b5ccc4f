import type { Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { onAct } from '../parts/acts.ts';
import { Kept, visit } from '../state/visits.ts';
import type { Row } from './rows.ts';
import { firstSeen, scrollToTop } from './window.ts';

/** A row by its name, and where it was in case it is gone. */
interface RowPlace {
  readonly key: string;
  readonly index: number;
}

/** Where the user is in a table. */
interface GridPlace {
  /** The first row that is seen. */
  readonly first: RowPlace;
  /** The part of it that is hidden. */
  readonly hidden: number;
  readonly active: RowPlace;
  readonly left: number;
  readonly hasFocus: boolean;
}

export const GRID_PLACE = new Kept<GridPlace>('grid');

interface Shown {
  readonly box: { readonly current: HTMLElement | null };
  readonly active: Signal<number>;
  /** Loaded or not. */
  readonly total: number;
  readonly loaded: number;
  readonly rowHeight: number;
  readonly rowAt: (index: number) => Row | undefined;
  /** As {@link Rows.positionOf}. */
  readonly positionOf: (key: string) => number | undefined;
}

/**
 * Keeps the place in a table for each entry of the history, and goes there when
 * the user comes back: to the row of the same name, wherever it is by now.
 */
export function useGridPlace(shown: Shown): void {
  const id = visit.value;
  const now = useRef(shown);
  now.current = shown;
  const pending = useRef<GridPlace>(undefined);

  const settle = (): void => {
    const place = pending.current;
    const { box, active, total, rowHeight } = now.current;
    const element = box.current;
    if (place === undefined || element === null) return;
    const first = found(now.current, place.first);
    const chosen = found(now.current, place.active);
    active.value = chosen.index;
    const row = first.index + (first.isSame ? place.hidden : 0);
    element.scrollTo({
      top: scrollToTop(row, total, rowHeight, element.clientHeight),
      left: place.left,
    });
    if (first.isSure && chosen.isSure) pending.current = undefined;
  };
  useLayoutEffect(() => {
    pending.current = GRID_PLACE.of(id);
    if (pending.current?.hasFocus === true) shown.box.current?.focus({ preventScroll: true });
  }, [id]);
  useLayoutEffect(settle);

  useEffect(() => {
    const element = shown.box.current;
    if (element === null) return undefined;
    const keep = (): void => {
      if (pending.current === undefined) GRID_PLACE.keep(id, placeOf(now.current, element));
    };
    const end = shown.active.subscribe(keep);
    element.addEventListener('scroll', keep, { passive: true });
    // not when the focus is lost: that comes, too, when the table goes
    document.addEventListener('focusin', keep);
    const endActs = onAct(() => {
      pending.current = undefined;
    });
    return () => {
      end();
      element.removeEventListener('scroll', keep);
      document.removeEventListener('focusin', keep);
      endActs();
    };
  }, [id]);
}

/** Where a row of before is. Not sure: it may be among those that are not loaded. */
function found(
  { total, loaded, rowAt, positionOf }: Shown,
  { key, index }: RowPlace,
): { readonly index: number; readonly isSure: boolean; readonly isSame: boolean } {
  const position = positionOf(key);
  const isHere = position !== undefined && position < loaded;
  const at = isHere ? position : Math.max(0, Math.min(index, total - 1));
  return {
    index: at,
    isSure: isHere || loaded >= total || (position === undefined && index < loaded),
    isSame: rowAt(at)?.key === key,
  };
}

function placeOf({ active, total, rowHeight, rowAt }: Shown, element: HTMLElement): GridPlace {
  const row = firstSeen(total, rowHeight, element.scrollTop, element.clientHeight);
  const first = Math.floor(row);
  const at = (index: number): RowPlace => ({ key: rowAt(index)?.key ?? '', index });
  return {
    first: at(first),
    hidden: row - first,
    active: at(active.peek()),
    left: element.scrollLeft,
    hasFocus: element.contains(document.activeElement),
  };
}
