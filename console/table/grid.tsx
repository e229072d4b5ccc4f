import { useComputed, useSignal, type ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { density } from '../state/settings.ts';
import { go } from '../state/place.ts';
import { objectHash } from '../state/route.ts';
import { useGridPlace } from './grid-place.ts';
import { useGridKeys } from './grid-keys.ts';
import { GridRow } from './grid-row.tsx';
import { Heads } from './heads.tsx';
import type { TableModel } from './model.ts';
import type { Selection } from './selection.ts';
import type { Row } from './rows.ts';
import { shownColumns, tracksOf, type Tracks } from './widths.ts';
import { scrollTo, windowOf } from './window.ts';

const ROW_HEIGHT = { calm: 40, dense: 28 } as const;
/** From this width on, columns of lower priority are shown as well. */
const WIDE = 1_100;

interface GridProps {
  readonly model: TableModel;
  /** The rows that are found, when something is searched for; undefined: all. */
  readonly found: ReadonlySignal<readonly Row[] | undefined>;
  readonly selection: Selection;
}

/** Where the view of the table stands. */
interface View {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

/** The rows of a table; only those that can be seen are in the page. */
export function Grid({ model, found, selection }: GridProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const view = useSignal<View>({ top: 0, height: 600, width: 1_000 });
  const active = useSignal(0);
  const rowHeight = ROW_HEIGHT[density.value];
  model.version.value; // eslint-disable-line @typescript-eslint/no-unused-expressions -- draws again when it changes
  const list = found.value;
  const loaded = list?.length ?? model.rows.count;
  const total = list?.length ?? model.total;
  const rowAt = (index: number): Row | undefined =>
    list === undefined ? model.rows.at(index) : list[index];

  useGridPlace({
    ...{ box, active, total, loaded, rowHeight, rowAt },
    positionOf: (key) => {
      if (list === undefined) return model.rows.positionOf(key);
      const position = list.findIndex((row) => row.key === key);
      return position < 0 ? undefined : position;
    },
  });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const read = (): void => {
      view.value = {
        top: element.scrollTop,
        height: element.clientHeight,
        width: element.clientWidth,
      };
    };
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);

  const { top, height, width } = view.value;
  const seen = windowOf(total, rowHeight, top, height);
  useEffect(() => {
    if (list === undefined && (seen.end > model.rows.count || seen.end === total))
      model.need(seen.end);
  });

  const columns = shownColumns(model.columns.value, width >= WIDE);
  const hasNamespace = model.kind.namespaced && model.query.namespace === '';
  const sample = useComputed(() => {
    // counted again while the first rows come in, then left alone: columns must not jump
    model.columns.value; // eslint-disable-line @typescript-eslint/no-unused-expressions -- as above
    return Math.min(Math.floor(model.version.value / 50), 2);
  });
  const { tracks, least } = useTracks(() => {
    const rows = Array.from({ length: Math.min(loaded, 120) }, (_, i) => rowAt(i)).filter(
      (row) => row !== undefined,
    );
    return tracksOf(columns, rows, hasNamespace);
  }, [sample.value, columns.length, hasNamespace, loaded > 0, model]);

  const move = (index: number): void => {
    active.value = Math.max(0, Math.min(total - 1, index));
    const to = scrollTo(
      active.value,
      total,
      rowHeight,
      box.current?.scrollTop ?? 0,
      height - rowHeight,
    );
    if (to !== undefined) box.current?.scrollTo({ top: to });
  };
  const rows = (): readonly Row[] => list ?? model.rows.all();
  useGridKeys(box, (key, event) => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 2);
    const steps: Record<string, number> = {
      ArrowDown: active.value + 1,
      ArrowUp: active.value - 1,
      j: active.value + 1,
      k: active.value - 1,
      PageDown: active.value + page,
      PageUp: active.value - page,
      Home: 0,
      End: total - 1,
    };
    const to = Object.hasOwn(steps, key) ? steps[key] : undefined;
    const row = rowAt(active.value);
    if (key === 'a') selection.toggleAll(loaded, rows);
    else if (event.ctrlKey || event.metaKey) return false;
    else if (to !== undefined) move(to);
    else if (key === 'Enter' && row !== undefined)
      go(objectHash(model.kind, row.namespace, row.name));
    else if ((key === ' ' || key === 'x') && row !== undefined)
      selection.toggle(row, event.shiftKey, rowsBetween(rowAt));
    else if (key === 'e' && row !== undefined)
      go(objectHash(model.kind, row.namespace, row.name, 'yaml'));
    else return false;
    return true;
  });

  const drawn = Array.from({ length: seen.end - seen.first }, (_, i) => seen.first + i);
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label={`${model.kind.kind} objects`}
      aria-rowcount={total + 1}
      aria-multiselectable="true"
      aria-activedescendant={
        active.value >= seen.first && active.value < seen.end ? `row-${active.value}` : undefined
      }
      style={{ '--tracks': tracks, '--least': least, '--row': `${rowHeight}px` }}
    >
      <Heads {...{ model, columns, hasNamespace, selection, rows }} count={loaded} />
      <div class="rows" role="presentation" style={{ height: `${seen.height}px` }}>
        <div
          class="drawn"
          role="presentation"
          style={{ transform: `translateY(${seen.offset}px)` }}
        >
          {drawn.map((index) => {
            const row = rowAt(index);
            if (row === undefined)
              return <div key={index} class="row waiting" role="presentation" />;
            return (
              <GridRow
                key={row.key}
                kind={model.kind}
                row={row}
                index={index}
                columns={columns}
                hasNamespace={hasNamespace}
                isActive={index === active.value}
                isChosen={selection.keys.value.has(row.key)}
                activate={(at) => (active.value = at)}
                choose={(chosen, isRange) => selection.toggle(chosen, isRange, rowsBetween(rowAt))}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Rows from one position to another. */
function rowsBetween(
  rowAt: (index: number) => Row | undefined,
): (test: (row: Row) => boolean) => Row[] {
  return (test) => {
    const rows: Row[] = [];
    for (let i = 0; ; i++) {
      const row = rowAt(i);
      if (row === undefined) return rows;
      if (test(row)) rows.push(row);
    }
  };
}

function useTracks(make: () => Tracks, keys: readonly unknown[]): Tracks {
  const kept = useRef<{ keys: readonly unknown[]; tracks: Tracks }>(undefined);
  const isSame = kept.current?.keys.every((key, i) => key === keys[i]) === true;
  if (!isSame || kept.current === undefined) kept.current = { keys, tracks: make() };
  return kept.current.tracks;
}
