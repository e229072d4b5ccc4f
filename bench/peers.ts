import { Command } from 'commander';
import { movedRows, readRun, saveRun } from './load/compare.ts';
import { peerOf } from './load/peer.ts';
import { runRounds, tableOf } from './load/rounds.ts';
import { startWithStore, type Target } from './load/target.ts';
import { Bench, workloadsOf } from './load/workloads.ts';

/**
 * Drives other servers of this API and Plinth in one run, row by row in turn. A
 * peer is told by fields: `name=kube,url=https://…,token=…,pids=12+34` and, where
 * its Lease kind has another group, `group=…`. The CPU time is that of all its
 * processes. Where its etcd counts, too, name etcd's process among them.
 */
const options = new Command('peers')
  .requiredOption('--peer <fields...>', 'name=…,url=…,token=…,pids=…+…[,group=…]')
  .option('--plinth <list>', 'stores on which Plinth is driven next to them', 'embedded,etcd')
  .option('--rows <texts>', 'only rows whose name contains one of these', '')
  .option('--objects <n>', 'objects in the collection', '10000')
  .option('--seconds <n>', 'time per row', '5')
  .option('--operations <n>', 'ends a row after so many operations instead', '0')
  .option('--repeat <n>', 'rounds over all rows', '3')
  .option('--save <file>', 'keeps the figures in a file')
  .option('--against <file>', 'names the rows that have moved beyond noise since that file')
  .parse()
  .opts<
    { peer: string[] } & Record<
      'plinth' | 'rows' | 'objects' | 'seconds' | 'operations' | 'repeat',
      string
    > &
      Partial<Record<'save' | 'against', string>>
  >();

const targets: Target[] = options.peer.map(peerOf);
for (const store of options.plinth.split(',').filter((name) => name !== '')) {
  const target = await startWithStore(store);
  targets.push({ ...target, name: `plinth ${store}` });
}
const size = {
  objects: Number(options.objects),
  seconds: Number(options.seconds),
  operations: Number(options.operations),
};
const benches = targets.map((target) => new Bench(target, size));
for (const bench of benches) await bench.fill();
const rows = await runRounds(benches, workloadsOf(options.rows), Number(options.repeat));
for (const line of tableOf(rows)) console.log(line);
for (const bench of benches) {
  bench.close();
  await bench.target.stop();
}
if (options.save !== undefined) saveRun(options.save, rows);
if (options.against !== undefined) {
  const moved = movedRows(rows, readRun(options.against));
  console.log(moved.length === 0 ? 'no row has moved beyond noise' : moved.join('\n'));
}
