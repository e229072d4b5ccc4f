import { existsSync, readdirSync, readFileSync } from 'node:fs';

const STOPPED = /\) [TtZX] /;

/**
 * Waits until a process that was sent SIGSTOP has stopped: on a busy machine its threads may
 * run, and answer, for some milliseconds more. Without `/proc` it cannot be told.
 */
export function untilStopped(pid: number): void {
  const threads = `/proc/${pid}/task`;
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  while (existsSync(threads) && !readdirSync(threads).every((id) => isStopped(threads, id))) {
    Atomics.wait(nothing, 0, 0, 1);
  }
}

function isStopped(threads: string, id: string): boolean {
  try {
    return STOPPED.test(readFileSync(`${threads}/${id}/stat`, 'utf8'));
  } catch {
    // it has ended
    return true;
  }
}
