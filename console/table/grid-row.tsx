import { memo } from 'preact/compat';
import type { JSX } from 'preact';
import { objectHash } from '../state/route.ts';
import type { Kind } from '../api/kind.ts';
import { Cell, isNumeric } from './cell.tsx';
import type { Row } from './rows.ts';
import type { ShownColumn } from './widths.ts';

interface GridRowProps {
  readonly kind: Kind;
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly ShownColumn[];
  readonly hasNamespace: boolean;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  /** The user has turned to the row. */
  readonly activate: (index: number) => void;
  readonly choose: (row: Row, isRange: boolean) => void;
}

/** A row; it is drawn again only when something of it changes. */
export const GridRow = memo(function GridRow(props: GridRowProps): JSX.Element {
  const { kind, row, index, columns, hasNamespace, isActive, isChosen, activate, choose } = props;
  const flash = row.changes === 0 ? '' : ` flash-${row.changes % 2}`;
  const isWhole = row.changedCells.length === 0;
  const name = (
    <a href={objectHash(kind, row.namespace, row.name)} tabIndex={-1}>
      {row.name}
    </a>
  );
  return (
    <div
      role="row"
      id={`row-${index}`}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      onClick={() => activate(index)}
      class={`row${isActive ? ' active' : ''}${row.isDeleting ? ' going' : ''}${isWhole ? flash : ''}`}
    >
      <div role="gridcell" class="pick">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isChosen}
          aria-label={`Select ${row.name}`}
          onClick={(event) => choose(row, event.shiftKey)}
        />
      </div>
      {columns.map((column, i) => {
        const hot = row.changedCells.includes(column.cell) ? flash : '';
        const cell = (
          <div
            key={column.cell}
            role="gridcell"
            class={`cell${i === 0 ? ' name' : ''}${isNumeric(column) ? ' number' : ''}${hot}`}
          >
            {i === 0 ? name : <Cell row={row} column={column} value={row.cells[column.cell]} />}
          </div>
        );
        if (i > 0 || !hasNamespace) return cell;
        return [
          cell,
          <div key="namespace" role="gridcell" class="cell dim">
            {row.namespace}
          </div>,
        ];
      })}
    </div>
  );
});
