import { stat } from 'node:fs/promises';
import type { Clock } from '../api/clock.ts';

/** A change is noticed after this at the latest. */
const RELOAD_PERIOD_MS = 2_000;

/** Names of files; a function: those that are in use at the moment. */
export type WatchedFiles = readonly string[] | (() => readonly string[]);

interface FileWatch {
  readonly files: WatchedFiles;
  readonly clock: Clock;
  /** Reads the files again. What it throws is told, and the state before stays. */
  readonly onChange: () => void | Promise<void>;
  readonly onProblem: (message: string, error: unknown) => void;
}

/**
 * Looks every two seconds whether files are others than before, and calls back
 * when they are. Asks the file system instead of listening to it: what replaces
 * a file by renaming, or turns a symbolic link round (as mounted secrets do),
 * is noticed the same way everywhere. The returned function ends it.
 */
export function watchFiles({ files, clock, onChange, onProblem }: FileWatch): () => void {
  let stopped = false;
  let cancel: () => void = () => undefined;
  let before: string | undefined;

  const look = async (): Promise<void> => {
    const names = namesOf(files);
    const now = (await Promise.all(names.map(signatureOf))).join(' ');
    const isFirst = before === undefined;
    const isChanged = now !== before;
    before = now;
    if (isFirst || !isChanged || stopped) return;
    try {
      await onChange();
    } catch (error) {
      onProblem(
        `${names.join(', ')} changed and cannot be used; what was read before stays`,
        error,
      );
    }
  };
  const again = (): void => {
    if (stopped) return;
    cancel = clock.after(RELOAD_PERIOD_MS, () => void look().finally(again));
  };
  void look().finally(again);
  return () => {
    stopped = true;
    cancel();
  };
}

/** The paths of the files as of now. */
export function namesOf(files: WatchedFiles): readonly string[] {
  return typeof files === 'function' ? files() : files;
}

/** Another one for every content, place or absence of the file. */
async function signatureOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch {
    return 'missing';
  }
}
