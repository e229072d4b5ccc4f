import { Turn } from '../api/turn.ts';
import type { Entry } from '../watch/entry.ts';
import { narrowed, type Narrowed } from '../watch/narrowed.ts';
import type { KeyRange, Snapshot } from '../watch/snapshot.ts';
import type { RegistryParts } from './parts.ts';
import { LARGE_BYTES } from './large-objects.ts';
import type { Selection } from './object-selection.ts';

interface SelectedOptions {
  /** Of a chunk, where the caller knows how many it needs. */
  readonly size?: number | undefined;
  /** The objects among which those of the selection are, where the caller knows them already. */
  readonly among?: Narrowed | Promise<Narrowed> | undefined;
}

/** The objects of a range that a selection leaves, in key order and in turns, without those that cannot be read. */
export async function* selected(
  parts: RegistryParts,
  snapshot: Snapshot,
  range: KeyRange,
  selection: Selection,
  { size, among }: SelectedOptions = {},
): AsyncIterable<Entry[]> {
  const turn = new Turn(parts.clock, 1);
  const { chunks, matches } = await (among ?? narrowed(snapshot, range, selection, size));
  for await (const all of chunks) {
    // One object that cannot be read never fails a list; nearly always there is none.
    const entries = all.some(({ corrupt }) => corrupt) ? all.filter((e) => !e.corrupt) : all;
    if (selection.everything) {
      yield entries;
    } else {
      await selection.prepare?.(entries);
      const matching: Entry[] = [];
      for (const entry of entries) {
        // it may have been forgotten since
        const again = selection.prepare?.([entry]);
        if (again !== undefined) await again;
        // to read a large one takes a turn of its own
        if (selection.isCostly === true && entry.bytes.length > LARGE_BYTES) await turn.next();
        if (matches(entry)) matching.push(entry);
        // Selectors may need the object itself, which is parsed for it.
        if (turn.over()) await turn.next();
      }
      if (matching.length > 0) yield matching;
    }
    if (turn.over()) await turn.next();
  }
}
