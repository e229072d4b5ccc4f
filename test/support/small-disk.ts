import { execFile } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BLOCK = Buffer.alloc(4096, 'x');

/** A disk of its own, in memory, that can be filled to the last byte. */
export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** @throws Error in one line where mounting is not allowed: only root may */
  static async mount(path: string, megabytes: number): Promise<SmallDisk> {
    mkdirSync(path);
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
    } catch {
      throw new Error('this test mounts a tmpfs, which only root may: run it as root');
    }
    return new SmallDisk(path);
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  /** As another program would that writes to the same disk. */
  fill(): void {
    const file = openSync(join(this.path, 'filler'), 'a');
    try {
      for (;;) writeSync(file, BLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  makeRoom(): void {
    rmSync(join(this.path, 'filler'));
  }

  async remove(): Promise<void> {
    await run('umount', [this.path]);
  }
}
