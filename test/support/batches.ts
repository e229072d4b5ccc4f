/** Files that one process of mocha runs, one after the other. */
export interface Batch {
  readonly files: readonly string[];
  /** Runs while no other batch runs. */
  readonly alone: boolean;
}

/**
 * Tests of what the whole machine does: they measure the memory of a process under load, or what
 * passes between clients and server in time, or need most of the machine for themselves.
 */
const ALONE = [
  'test/overload/leaks.test.ts',
  'test/overload/slow-watchers.test.ts',
  'test/overload/unread-watches.test.ts',
  'test/overload/workers.test.ts',
  'test/server/crash.test.ts',
];
/** A unit test takes milliseconds; loading the code takes a process some seconds. */
const UNIT_FILES = 60;
const PROCESS_FILES = 6;

/**
 * Divides the tests among processes: those with servers in small batches, so that all
 * processes end at about the same time, and first, for they take longest.
 */
export function batchesOf(files: readonly string[]): Batch[] {
  const isAlone = (file: string): boolean => ALONE.some((start) => file.startsWith(start));
  const alone = files.filter(isAlone);
  const together = files.filter((file) => !isAlone(file));
  const withProcesses = together.filter((file) => file.startsWith('test/'));
  const units = together.filter((file) => !file.startsWith('test/'));
  return [
    ...dealt(withProcesses, PROCESS_FILES).map((batch) => ({ files: batch, alone: false })),
    ...dealt(units, UNIT_FILES).map((batch) => ({ files: batch, alone: false })),
    ...(alone.length === 0 ? [] : [{ files: alone, alone: true }]),
  ];
}

/** Neighbours go to different batches: the files of a folder take about as long as each other. */
function dealt(files: readonly string[], size: number): string[][] {
  const count = Math.ceil(files.length / size);
  const batches: string[][] = Array.from({ length: count }, () => []);
  files.forEach((file, at) => batches[at % count]!.push(file));
  return batches;
}
