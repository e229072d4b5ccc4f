import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { ask } from '../state/place.ts';
import { isNumeric } from './cell.tsx';
import type { TableModel } from './model.ts';
import { orderFor } from './order.ts';
import type { Row } from './rows.ts';
import type { Selection } from './selection.ts';
import type { shownColumns } from './widths.ts';

interface HeadsProps {
  readonly model: TableModel;
  readonly columns: ReturnType<typeof shownColumns>;
  readonly hasNamespace: boolean;
  readonly selection: Selection;
  /** The rows that are loaded and found. */
  readonly rows: () => readonly Row[];
  readonly count: number;
}

/** The heads of a table: they order it, and select all of its rows. */
export function Heads(props: HeadsProps): JSX.Element {
  const { model, columns, hasNamespace, selection, rows, count } = props;
  const { order } = model.query;
  const head = (
    name: string,
    description: string,
    path: string | undefined,
    isRight: boolean,
  ): JSX.Element => {
    const isDown = order === `${path ?? ''}:desc`;
    const isUp = path !== undefined && order === path;
    const sorted = isUp ? 'ascending' : isDown ? 'descending' : undefined;
    return (
      <div
        key={name}
        role="columnheader"
        aria-sort={sorted}
        title={description}
        class={`cell${isRight ? ' number' : ''}`}
      >
        {path === undefined ? (
          name
        ) : (
          <button
            type="button"
            class="head"
            onClick={() => ask({ order: isUp ? `${path}:desc` : isDown ? '' : path })}
          >
            {name}
            {sorted && <Icon name={isUp ? 'up' : 'down'} />}
          </button>
        )}
      </div>
    );
  };
  const heads = columns.map((column, i) =>
    head(column.name, column.description, orderFor(model.kind, column, i), isNumeric(column)),
  );
  if (hasNamespace)
    heads.splice(
      1,
      0,
      head('Namespace', 'The namespace of the object.', 'metadata.namespace', false),
    );
  return (
    <div class="heads" role="row" aria-rowindex={1}>
      <div role="columnheader" class="pick">
        <SelectAll selection={selection} rows={rows} count={count} />
      </div>
      {heads}
    </div>
  );
}

function SelectAll({
  selection,
  rows,
  count,
}: Pick<HeadsProps, 'selection' | 'rows' | 'count'>): JSX.Element {
  const box = useRef<HTMLInputElement>(null);
  const isSome = selection.keys.value.size > 0;
  const isAll = selection.hasAll(count, rows);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome && !isAll;
  });
  return (
    <input
      ref={box}
      type="checkbox"
      checked={isAll}
      aria-label="Select all loaded rows"
      title="Select all loaded rows (a)"
      aria-keyshortcuts="a Control+A Meta+A"
      onClick={() => selection.toggleAll(count, rows)}
    />
  );
}
