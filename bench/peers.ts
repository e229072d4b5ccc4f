import { Command } from 'commander';
import { peerOf } from './load/peer.ts';
import { runRounds, tableOf } from './load/rounds.ts';
import { saveAndCompare, sizeOf, withRunOptions, type RunOptions } from './load/run-options.ts';
import { startWithStore, type Target } from './load/target.ts';
import { Bench, workloadsOf } from './load/workloads.ts';

/**
 * Drives other servers of this API and Plinth in one run, row by row in turn. A
 * peer is told by fields: `name=kube,url=https://…,token=…,pids=12+34` and, where
 * its Lease kind has another group, `group=…`. The CPU time is that of all its
 * processes. Where its etcd counts, too, name etcd's process among them.
 */
const options = withRunOptions(new Command('peers'))
  .requiredOption('--peer <fields...>', 'name=…,url=…,token=…,pids=…+…[,group=…]')
  .option('--plinth <list>', 'stores on which Plinth is driven next to them', 'embedded,etcd')
  .parse()
  .opts<RunOptions & { peer: string[]; plinth: string }>();

const targets: Target[] = options.peer.map(peerOf);
for (const store of options.plinth.split(',').filter((name) => name !== '')) {
  const target = await startWithStore(store);
  targets.push({ ...target, name: `plinth ${store}` });
}
const benches = targets.map((target) => new Bench(target, sizeOf(options)));
for (const bench of benches) await bench.fill();
const rows = await runRounds(benches, workloadsOf(options.rows), Number(options.repeat));
for (const line of tableOf(rows)) console.log(line);
for (const bench of benches) {
  bench.close();
  await bench.target.stop();
}
saveAndCompare(rows, options);
