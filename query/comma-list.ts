import { Scanner } from './scanner.ts';
import { unreadable } from './value-path.ts';

/** The items of a list, or why the text is not one. */
export type ReadList<T> = { readonly items: readonly T[] } | { readonly error: string };

interface ListForm<T> {
  /** Reads the item that stands at the scanner, as far as it goes. */
  readonly readItem: (scanner: Scanner) => { readonly item: T } | { readonly error: string };
  readonly max: number;
  /** The error of a list with more than `max` items. */
  readonly tooMany: string;
}

/** Reads a text that is a list of items with commas between them, at least one. */
export function readCommaList<T>(
  text: string,
  { readItem, max, tooMany }: ListForm<T>,
): ReadList<T> {
  const scanner = new Scanner(text);
  const items: T[] = [];
  do {
    const read = readItem(scanner);
    if ('error' in read) return read;
    items.push(read.item);
    if (items.length > max) return { error: tooMany };
  } while (scanner.take(','));
  return scanner.atEnd ? { items } : { error: unreadable(scanner) };
}
