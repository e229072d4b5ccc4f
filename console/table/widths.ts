import { shortText } from '../api/json.ts';
import { isNumeric } from './cell.tsx';
import type { Column, Row } from './rows.ts';

/** Characters of the narrowest and the widest column. */
const NARROWEST = 6;
const WIDEST = 44;
/** Rows that are looked at. */
const SAMPLE = 120;

/** The columns that a table shows, each with the number of its cell. */
export type ShownColumn = Column & { readonly cell: number };

/** Columns that matter most first; those for wide screens only where `isWide`. */
export function shownColumns(columns: readonly Column[], isWide: boolean): ShownColumn[] {
  return columns
    .map((column, cell) => ({ ...column, cell }))
    .filter(({ priority }) => priority === 0 || isWide);
}

/** Room for the padding of a cell. */
const fixed = (characters: number): string => `calc(${characters}ch + 20px)`;
const flexible = (characters: number): string => `minmax(${fixed(characters)}, ${characters}fr)`;

/** Tracks of a CSS grid, as wide as what stands in the rows. */
export function tracksOf(
  columns: readonly ShownColumn[],
  rows: readonly Row[],
  hasNamespace: boolean,
): string {
  const longest = (head: string, textOf: (row: Row) => string): number =>
    Math.min(
      WIDEST,
      rows
        .slice(0, SAMPLE)
        .reduce(
          (most, row) => Math.max(most, textOf(row).length),
          Math.max(NARROWEST, head.length),
        ),
    );
  const tracks = columns.map((column, i) => {
    const width = longest(column.name, (row) =>
      i === 0 ? row.name : shortText(row.cells[column.cell]),
    );
    return isNumeric(column) ? fixed(width) : flexible(width);
  });
  if (hasNamespace) {
    const width = longest('Namespace', ({ namespace }) => namespace);
    tracks.splice(1, 0, flexible(width));
  }
  return ['2.5rem', ...tracks].join(' ');
}
