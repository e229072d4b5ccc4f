import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The processes that a process has started. */
function childrenOf(pid: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!);
}

/** How many sockets it has open. */
export function socketsOf(pid: number): number {
  const isSocket = (file: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${file}`).startsWith('socket:');
    } catch {
      // it has been closed meanwhile
      return false;
    }
  };
  return readdirSync(`/proc/${pid}/fd`).filter(isSocket).length;
}

/** Has another process that this one started, and that has ended, used any CPU? */
export function hasHadChildren(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return Number(user) + Number(system) > 0;
}

/** Of the processes of a supervisor: the workers, and the one that owns an embedded store. */
export function processesOf(supervisor: number): { workers: number[]; owners: number[] } {
  const all = childrenOf(supervisor);
  const isOwner = (pid: number): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes('PLINTH_STORE_OWNER=');
    } catch {
      // it has ended meanwhile
      return false;
    }
  };
  const owners = all.filter(isOwner);
  return { workers: all.filter((pid) => !owners.includes(pid)), owners };
}
