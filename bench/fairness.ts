import { spawn, type ChildProcess } from 'node:child_process';
import { Command } from 'commander';
import { tokenUsers } from '../test/support/token-users.ts';
import { LoadClient } from './load/client.ts';
import { percentile } from './load/measure.ts';
import { startPlinth } from './load/target.ts';

/**
 * One user asks now and then; another one floods the server from fifty times as
 * many connections as it can use. What does the first one notice?
 * `node --import=tsx bench/fairness.ts` after `npm run build`.
 */
const options = new Command('fairness')
  .option('--connections <n>', 'connections of the noisy user', '400')
  .option('--objects <n>', 'objects in the collection', '2000')
  .option('--seconds <n>', 'time per figure', '6')
  .option('--rounds <n>', 'rounds of an idle and a loaded server; their median counts', '3')
  .option('--rows <text>', 'only rows whose name contains this', '')
  .option('--fair <true|false>', 'queues by user', 'true')
  .parse()
  .opts<Record<'connections' | 'objects' | 'seconds' | 'rounds' | 'rows' | 'fair', string>>();

const PAUSE_MS = 5;
const users = tokenUsers(['noisy', 'quiet']);
const target = await startPlinth('embedded', [
  ...users.args,
  '--enable-priority-and-fairness',
  options.fair,
]);
const { url } = target.endpoint;
const tokenOf = (user: string): string => users.as(user).authorization.slice('Bearer '.length);
const quiet = new LoadClient({ url, token: tokenOf('quiet') }, 1);
const leases = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const lease = { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease' };

const setup = new LoadClient(target.endpoint, 32);
for (let i = 0; i < Number(options.objects); i += 32) {
  await Promise.all(
    Array.from({ length: 32 }, (_, k) =>
      setup.send('POST', leases, { ...lease, metadata: { name: `item-${i + k}` } }),
    ),
  );
}
setup.close();

let created = 0;
const asks: Record<string, () => Promise<{ status: number }>> = {
  get: () => quiet.send('GET', `${leases}/item-7`),
  create: () => quiet.send('POST', leases, { ...lease, metadata: { name: `quiet-${created++}` } }),
  'list limit=50': () => quiet.send('GET', `${leases}?limit=50`),
};
const floods: Record<string, string[]> = {
  gets: ['GET', `${leases}/item-9`],
  creates: ['POST', leases, JSON.stringify(lease)],
  'lists of all': ['GET', leases],
};

interface Figure {
  p50: number;
  p99: number;
  failures: number;
}

async function figure(ask: () => Promise<{ status: number }>): Promise<Figure> {
  const latencies: number[] = [];
  let failures = 0;
  const endsAt = performance.now() + Number(options.seconds) * 1000;
  while (performance.now() < endsAt) {
    const sentAt = performance.now();
    const { status } = await ask();
    latencies.push(performance.now() - sentAt);
    if (status >= 300) failures++;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), failures };
}

/**
 * The flood comes from other machines. Here it may have what processor time the
 * server and the quiet user leave: otherwise their waiting for a core would be measured.
 */
const LEFTOVER_TIME = process.platform === 'linux' ? ['chrt', '--idle', '0'] : [];

function startFlood(args: string[]): ChildProcess {
  const flood = ['bench/load/flood.ts', url, tokenOf('noisy'), options.connections, ...args];
  const [command = '', ...rest] = [...LEFTOVER_TIME, process.execPath, '--import=tsx', ...flood];
  return spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** A figure beside a flood at its full strength, and what the flood was answered. */
async function besides(
  ask: () => Promise<{ status: number }>,
  args: string[],
): Promise<Figure & { readonly flood: string }> {
  const flood = startFlood(args);
  let answers = '';
  flood.stdout?.setEncoding('utf8').on('data', (piece: string) => (answers += piece));
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const loaded = await figure(ask);
  const ended = new Promise((resolve) => flood.once('exit', resolve));
  flood.kill('SIGTERM');
  await ended;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return { ...loaded, flood: answers.trim() };
}

const columns = ['quiet user / noisy user', 'p50 ms idle', 'loaded', 'p99 ms idle', 'loaded'];
console.log(
  [...columns, 'p99 to idle, median (lowest to highest)', 'failures', 'flood'].join('\t'),
);
for (const [asked, ask] of Object.entries(asks)) {
  for (const [flooded, args] of Object.entries(floods)) {
    const row = `${asked} / ${options.connections} × ${flooded}`;
    if (!row.includes(options.rows)) continue;
    await figure(ask); // warm
    const rounds: { idle: Figure; loaded: Figure & { flood: string } }[] = [];
    for (let round = 0; round < Number(options.rounds); round++) {
      rounds.push({ idle: await figure(ask), loaded: await besides(ask, args) });
    }
    const median = (of: (round: { idle: Figure; loaded: Figure }) => number): string =>
      percentile(rounds.map(of), 0.5).toFixed(2);
    const ratios = rounds.map(({ idle, loaded }) => loaded.p99 / idle.p99);
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const cells = [
      median(({ idle }) => idle.p50),
      median(({ loaded }) => loaded.p50),
      median(({ idle }) => idle.p99),
      median(({ loaded }) => loaded.p99),
      `${percentile(ratios, 0.5).toFixed(2)} (${range})`,
      String(rounds.reduce((sum, { loaded }) => sum + loaded.failures, 0)),
      rounds.at(-1)?.loaded.flood ?? '',
    ];
    console.log([row, ...cells].join('\t'));
  }
}
quiet.close();
await target.stop();
