import { Command } from 'commander';
import { simulate, type Costs, type Load, type Outcome } from './scaling/simulate.ts';
import { Seeded } from '../test/support/seeded.ts';

/**
 * Says what N servers on one etcd carry, by a simulation with the costs that
 * docs/scaling.md has measured. Figures of a model, not of machines.
 */
const options = new Command('bench/scaling')
  .option('--write <ms>', 'CPU of the server for a write', '0.35')
  .option('--follow <ms>', 'CPU of each other server for a write', '0.065')
  .option('--event <ms>', 'CPU for one event to one watch', '0.010')
  .option('--get <ms>', 'CPU for a get', '0.10')
  .option('--etcd <ms>', 'CPU of the leader of etcd for a write', '0.20')
  .option('--etcd-processors <n>', 'processors of the leader of etcd', '4')
  .option('--sync <ms>', 'a write of the log to the disks of a majority', '2')
  .option('--round-trip <ms>', 'between two machines and back', '0.5')
  .option('--gets <n>', 'gets for each write', '5')
  .option('--watches <list>', 'watches that the event of a write goes to', '3,50,500')
  .option('--servers <list>', 'numbers of servers', '1,2,3,5,10,20')
  .option('--budget <ms>', 'a load is carried when 99 of 100 writes take less', '50')
  .parse()
  .opts<Record<string, string>>();

/** Busier than this a processor has no room for a bad second. */
const FULL = 0.8;

const numberOf = (name: string): number => Number(options[name]);
const listOf = (name: string): number[] => (options[name] ?? '').split(',').map(Number);

const costs: Costs = {
  write: numberOf('write'),
  follow: numberOf('follow'),
  event: numberOf('event'),
  get: numberOf('get'),
  etcd: numberOf('etcd'),
  etcdProcessors: numberOf('etcdProcessors'),
  sync: numberOf('sync'),
  roundTrip: numberOf('roundTrip'),
};

function outcomeOf(servers: number, watchesOfEvent: number, writesPerSecond: number): Outcome {
  const getsPerSecond = writesPerSecond * numberOf('gets');
  const numbers = new Seeded(1);
  const load: Load = { servers, writesPerSecond, getsPerSecond, watchesOfEvent };
  return simulate(costs, load, () => numbers.next());
}

/** The most writes a second that are carried, to 2 %, and how that load goes. */
function mostWrites(servers: number, watches: number): Outcome & { readonly writes: number } {
  let [low, high] = [1, 60_000];
  while (high / low > 1.02) {
    const middle = Math.sqrt(low * high);
    const { p99, serverBusy, etcdBusy } = outcomeOf(servers, watches, middle);
    const hasRoom = Math.max(serverBusy, etcdBusy) <= FULL;
    if (hasRoom && p99 < numberOf('budget')) low = middle;
    else high = middle;
  }
  return { writes: Math.floor(low), ...outcomeOf(servers, watches, low) };
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
console.log(
  '| servers | watches of an event | writes a second | gets a second | p50, p99 of a write | busiest server | etcd |',
);
console.log('|---|---|---|---|---|---|---|');
for (const watches of listOf('watches')) {
  for (const servers of listOf('servers')) {
    const { writes, p50, p99, serverBusy, etcdBusy } = mostWrites(servers, watches);
    const gets = Math.floor(writes * numberOf('gets'));
    console.log(
      `| ${servers} | ${watches} | ${writes} | ${gets} | ${p50.toFixed(1)}, ${p99.toFixed(1)} ms | ${percent(serverBusy)} | ${percent(etcdBusy)} |`,
    );
  }
}
