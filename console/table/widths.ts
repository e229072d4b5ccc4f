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

/** The name of the object, where no column of the server's begins with it; it has no cell. */
const NAME: ShownColumn = {
  ...{ name: 'Name', type: 'string', format: 'name', priority: 0, cell: -1 },
  description: 'The name of the object.',
};

/** Columns that matter most first, of which the first one is the name; those for wide screens only where `isWide`. */
export function shownColumns(columns: readonly Column[], isWide: boolean): ShownColumn[] {
  const shown = columns
    .map((column, cell): ShownColumn => ({ ...column, cell }))
    .filter(({ priority }) => priority === 0 || isWide);
  if (shown.length === 0 || shown[0]?.name === NAME.name) return shown;
  return [NAME, ...shown.filter(({ name }) => name !== NAME.name)];
}

/** Room for the padding of a cell. */
const fixed = (characters: number): string => `calc(${characters}ch + ${PADDING_PX}px)`;
const flexible = (characters: number): string => `minmax(${fixed(characters)}, ${characters}fr)`;
const PADDING_PX = 20;
/** Of the box that selects a row. */
const PICK = '2.5rem';

/** The columns of a CSS grid. */
export interface Tracks {
  readonly tracks: string;
  /** Together they are at least so wide, whatever stands in them. */
  readonly least: string;
}

/** Tracks as wide as what stands in the rows, up to a bound: what is longer is cut. */
export function tracksOf(
  columns: readonly ShownColumn[],
  rows: readonly Row[],
  hasNamespace: boolean,
): Tracks {
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
  const widths = columns.map((column, i) => ({
    isFixed: isNumeric(column),
    characters: longest(column.name, (row) =>
      i === 0 ? row.name : shortText(row.cells[column.cell]),
    ),
  }));
  if (hasNamespace) {
    const characters = longest('Namespace', ({ namespace }) => namespace);
    widths.splice(1, 0, { isFixed: false, characters });
  }
  const tracks = widths.map(({ isFixed, characters }) =>
    isFixed ? fixed(characters) : flexible(characters),
  );
  const sum = widths.reduce((all, { characters }) => all + characters, 0);
  return {
    tracks: [PICK, ...tracks].join(' '),
    least: `calc(${PICK} + ${sum}ch + ${widths.length * PADDING_PX}px)`,
  };
}
