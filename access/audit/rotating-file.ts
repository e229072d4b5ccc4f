import { appendFile, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Clock } from '../../api/clock.ts';

const DAY_MS = 24 * 3600 * 1000;
const MODE = 0o600;
const LINE_FEED = 0x0a;

interface RotationOptions {
  /** A file is put aside before it grows beyond this. */
  readonly maxBytes: number;
  /** Files put aside are kept so long; 0: for ever. */
  readonly maxAgeDays: number;
  /** So many files put aside are kept; 0: all. */
  readonly maxBackups: number;
}

/**
 * A file that text is added to and that never grows beyond a size: then it is
 * put aside under the time of day (`audit-2024-05-01T10-00-00.000.log`), and
 * what is too old or too much is removed. Only one call at a time.
 */
export class RotatingFile {
  readonly #file: string;
  readonly #options: RotationOptions;
  readonly #clock: Clock;
  #size: number | undefined;

  constructor(file: string, options: RotationOptions, clock: Clock) {
    this.#file = file;
    this.#options = options;
    this.#clock = clock;
  }

  /** `text`: whole lines. They never continue a line that a full disk, or the end of a process, has cut off. */
  async append(text: string): Promise<void> {
    let lines = text;
    if (this.#size === undefined) {
      this.#size = await sizeOf(this.#file);
      if (this.#size > 0 && (await isCutOff(this.#file))) lines = `\n${text}`;
    }
    const bytes = Buffer.byteLength(lines);
    if (this.#size > 0 && this.#size + bytes > this.#options.maxBytes) {
      await this.#putAside();
      this.#size = 0;
      lines = text;
    }
    try {
      await appendFile(this.#file, lines, { mode: MODE });
      this.#size += bytes;
    } catch (error) {
      // a part of it may have been written
      this.#size = undefined;
      throw error;
    }
  }

  async #putAside(): Promise<void> {
    const { stem, extension } = this.#parts();
    const time = new Date(this.#clock.now()).toISOString().slice(0, -1).replaceAll(':', '-');
    const taken = new Set(await readdir(dirname(this.#file)));
    let name = `${stem}${time}${extension}`;
    for (let i = 1; taken.has(name); i++) name = `${stem}${time}.${i}${extension}`;
    await rename(this.#file, join(dirname(this.#file), name));
    await this.#removeOld();
  }

  #parts(): { stem: string; extension: string } {
    const extension = extname(this.#file);
    return { stem: `${basename(this.#file, extension)}-`, extension };
  }

  async #removeOld(): Promise<void> {
    const { maxAgeDays, maxBackups } = this.#options;
    if (maxAgeDays === 0 && maxBackups === 0) return;
    const { stem, extension } = this.#parts();
    const directory = dirname(this.#file);
    // Times as text are in the order of time.
    const backups = (await readdir(directory))
      .filter((name) => name.startsWith(stem) && name.endsWith(extension))
      .filter((name) => /^\d{4}-\d\d-\d\dT/.test(name.slice(stem.length)))
      .sort()
      .reverse();
    const before = this.#clock.now() - maxAgeDays * DAY_MS;
    for (const [i, name] of backups.entries()) {
      const isTooMuch = maxBackups > 0 && i >= maxBackups;
      const isTooOld = maxAgeDays > 0 && timeIn(name.slice(stem.length)) < before;
      if (isTooMuch || isTooOld) await rm(join(directory, name), { force: true });
    }
  }
}

function timeIn(text: string): number {
  const [date = '', time = ''] = text.slice(0, '2024-05-01T10-00-00.000'.length).split('T');
  return Date.parse(`${date}T${time.replaceAll('-', ':')}Z`);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}

/** Does the file end within a line? */
async function isCutOff(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return bytesRead === 1 && buffer[0] !== LINE_FEED;
  } finally {
    await handle.close();
  }
}
