import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** CPU time that a process has used, in milliseconds (user and system; Linux). */
export function cpuMs(pid: number): number {
  return cpuMsIn(`/proc/${pid}/stat`);
}

/** The same of the thread alone that began it, which runs a server's JavaScript. */
export function threadCpuMs(pid: number): number {
  return cpuMsIn(`/proc/${pid}/task/${pid}/stat`);
}

function cpuMsIn(file: string): number {
  const stat = readFileSync(file, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** CPU time of all processes together, in milliseconds; NaN when none is known. */
export function cpuMsOf(pids: readonly number[]): number {
  return pids.length === 0 ? NaN : pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
}

/** Resident memory in MiB. */
export function residentMiB(pid: number): number {
  return statusMiB(pid)('VmRSS') || 0;
}

/** Resident memory in MiB by what it is: the process's own, and pages of mapped files, which the system may drop. */
interface Residence {
  readonly anonymous: number;
  readonly file: number;
  /** The most that was resident of both since the process began. */
  readonly peak: number;
}

export function residence(pid: number): Residence {
  const mib = statusMiB(pid);
  return { anonymous: mib('RssAnon'), file: mib('RssFile'), peak: mib('VmHWM') };
}

/** What the system says of a process now, by the names that it uses (Linux). */
function statusMiB(pid: number): (name: string) => number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? NaN) / 1024;
}
