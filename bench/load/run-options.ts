import type { Command } from 'commander';
import { movedRows, readRun, saveRun } from './compare.ts';
import type { Row } from './rounds.ts';

/** What the programs that drive rows in rounds take, next to what each takes alone. */
export interface RunOptions {
  readonly rows: string;
  readonly objects: string;
  readonly seconds: string;
  readonly operations: string;
  readonly repeat: string;
  readonly save?: string;
  readonly against?: string;
}

export function withRunOptions(command: Command): Command {
  return command
    .option('--rows <texts>', 'only rows whose name contains one of these', '')
    .option('--objects <n>', 'objects in the collection', '10000')
    .option('--seconds <n>', 'time per row', '5')
    .option('--operations <n>', 'ends a row after so many operations instead', '0')
    .option('--repeat <n>', 'rounds over all rows', '3')
    .option('--save <file>', 'keeps the figures in a file')
    .option('--against <file>', 'names the rows that have moved beyond noise since that file');
}

/** Objects of the collection, and the time or the operations of a row. */
export function sizeOf({ objects, seconds, operations }: RunOptions): {
  objects: number;
  seconds: number;
  operations: number;
} {
  return {
    objects: Number(objects),
    seconds: Number(seconds),
    operations: Number(operations),
  };
}

/** Saves the rows where `save` says, and prints what has moved since `against`. */
export function saveAndCompare(rows: readonly Row[], { save, against }: RunOptions): void {
  if (save !== undefined) saveRun(save, rows);
  if (against === undefined) return;
  const moved = movedRows(rows, readRun(against));
  console.log(moved.length === 0 ? 'no row has moved beyond noise' : moved.join('\n'));
}
