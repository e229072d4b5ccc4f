/** Files that one process of mocha runs, one after the other. */
export interface Batch {
  readonly files: readonly string[];
  /** Runs while no other batch runs. */
  readonly alone: boolean;
}

/** Tests that compare the resident memory of a process, or latencies, under load. */
const ALONE = [
  'test/overload/slow-watchers.test.ts',
  'test/overload/unread-watches.test.ts',
  'test/overload/workers.test.ts',
];
/**
 * Tests that take longest, because they wait for leases, timeouts and periods of the server: each
 * is a batch, and they begin first, so that the run does not end with a wait.
 */
const LONGEST = [
  'test/encryption/at-rest-embedded.test.ts',
  'test/encryption/at-rest-etcd.test.ts',
  'test/controllers/takeover.test.ts',
  'test/storage/etcd-watch.test.ts',
  'test/server/etcd-trouble.test.ts',
  'test/kubectl/builtin-groups.test.ts',
  'test/overload/leaks.test.ts',
];
/** The files that are named above. */
export const NAMED = [...ALONE, ...LONGEST];
/** A unit test takes milliseconds; loading the code takes a process some seconds. */
const UNIT_FILES = 60;
const PROCESS_FILES = 6;

/**
 * Divides the tests among processes: those with servers in small batches, so that all
 * processes end at about the same time, and before unit tests, which are short.
 */
export function batchesOf(files: readonly string[]): Batch[] {
  const alone = files.filter((file) => ALONE.includes(file));
  const longest = LONGEST.filter((file) => files.includes(file));
  const together = files.filter((file) => !alone.includes(file) && !longest.includes(file));
  const withProcesses = together.filter((file) => file.startsWith('test/'));
  const units = together.filter((file) => !file.startsWith('test/'));
  return [
    ...longest.map((file) => ({ files: [file], alone: false })),
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
