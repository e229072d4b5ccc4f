import type { ChaosCluster } from './cluster.ts';
import type { Part } from './part.ts';

/** Process 1 of its container: see how members are started. */
const ETCD_PID = 1;
const TRACER_FILE = '/tmp/slow-disk.pid';
/** How long the tracer may take to hold all threads, or to let them go. */
const TRACER_MS = 10_000;
const POLL_MS = 100;
/** So many times fewer syncs than would fill the time are enough. */
const SLACK = 4;

interface SlowDisk {
  /** How much longer every sync to disk takes. */
  readonly delayMs: number;
  readonly heldMs: number;
}

/**
 * A member of etcd whose disk is slow: a tracer holds each of its fsync and
 * fdatasync calls back before the kernel sees them. The disk itself is as fast
 * as ever, so this needs nothing of kernel and storage driver; and because the
 * tracer looks at every call, all else of the member is slower, too.
 *
 * @throws Error when the member's syncs have not been slow, by its own measure
 */
export async function slowDisk(
  cluster: ChaosCluster,
  member: Part,
  { delayMs, heldMs }: SlowDisk,
): Promise<void> {
  const before = await cluster.slowSyncs(member, delayMs);
  const inject = `inject=fsync,fdatasync:delay_enter=${delayMs * 1_000}`;
  const trace = `strace -f -q -o /dev/null -e trace=fsync,fdatasync -e ${inject} -p ${ETCD_PID}`;
  await member.begin(['sh', '-c', `echo $$ > ${TRACER_FILE}; exec ${trace}`]);
  try {
    await until(member, (traced) => traced, 'the tracer holds etcd');
    await new Promise((resolve) => setTimeout(resolve, heldMs));
  } finally {
    await member.execute(['sh', '-c', `kill $(cat ${TRACER_FILE})`]);
    await until(member, (traced) => !traced, 'the tracer has let etcd go');
  }
  const slow = (await cluster.slowSyncs(member, delayMs)) - before;
  // One after the other they fill the time; disks of busy machines are slow once in a while.
  if (!(slow >= heldMs / delayMs / SLACK)) {
    throw new Error(`the disk of ${member.name} was not slow: ${slow} syncs of ${delayMs} ms`);
  }
}

async function until(
  member: Part,
  wanted: (traced: boolean) => boolean,
  what: string,
): Promise<void> {
  for (const end = performance.now() + TRACER_MS; performance.now() < end;) {
    const status = await member.execute(['cat', `/proc/${ETCD_PID}/status`]);
    if (wanted(!/^TracerPid:\s*0$/m.test(status))) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`not in ${TRACER_MS} ms: ${what}`);
}
