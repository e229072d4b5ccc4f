import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { Command } from 'commander';
import { tokenUsers } from '../test/support/token-users.ts';
import { LoadClient } from './load/client.ts';
import { percentile } from './load/measure.ts';
import { startWithStore, type Target } from './load/target.ts';

/**
 * One user asks now and then; another one floods the server from fifty times as
 * many connections as it can use. What does the first one notice? Each row has a
 * server of its own, so that none finds what the flood of another has made. With
 * `--control`, also what they notice of a flood that asks another server on this
 * machine: that is the part of sharing processors, not of sharing a server.
 * `node --import=tsx bench/fairness.ts` after `npm run build`.
 */
const options = new Command('fairness')
  .option('--store <name>', 'embedded or etcd, which then shares the processors', 'embedded')
  .option('--connections <n>', 'connections of the noisy user', '400')
  .option('--objects <n>', 'objects in the collection', '2000')
  .option('--seconds <n>', 'time per figure', '6')
  .option('--rounds <n>', 'rounds of an idle and a loaded server; all their requests count', '3')
  .option('--rows <text>', 'only rows whose name contains this', '')
  .option('--fair <true|false>', 'queues by user', 'true')
  .option('--control', 'also measure during a flood of another server', false)
  .parse()
  .opts<
    Record<'store' | 'connections' | 'objects' | 'seconds' | 'rounds' | 'rows' | 'fair', string> & {
      control: boolean;
    }
  >();

const PAUSE_MS = 5;
const users = tokenUsers(['noisy', 'quiet']);
const args = [...users.args, '--enable-priority-and-fairness', options.fair];
const tokenOf = (user: string): string => users.as(user).authorization.slice('Bearer '.length);
const leases = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const lease = { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease' };

/** A fresh server with as many objects as are asked for. */
async function filled(): Promise<Target> {
  const target = await startWithStore(options.store, args, { syncs: true });
  const setup = new LoadClient(target.endpoint, 32);
  for (let i = 0; i < Number(options.objects); i += 32) {
    await Promise.all(
      Array.from({ length: 32 }, (_, k) =>
        setup.send('POST', leases, { ...lease, metadata: { name: `item-${i + k}` } }),
      ),
    );
  }
  setup.close();
  return target;
}

type Ask = (quiet: LoadClient) => Promise<{ status: number }>;

let created = 0;
const asks: Record<string, Ask> = {
  get: (quiet) => quiet.send('GET', `${leases}/item-7`),
  create: (quiet) =>
    quiet.send('POST', leases, { ...lease, metadata: { name: `quiet-${created++}` } }),
  'list limit=50': (quiet) => quiet.send('GET', `${leases}?limit=50`),
};
const floods: Record<string, string[]> = {
  gets: ['GET', `${leases}/item-9`],
  creates: ['POST', leases, JSON.stringify(lease)],
  'lists of all': ['GET', leases],
};

/** What the quiet user has seen. */
interface Seen {
  /** Of every request, in milliseconds. */
  readonly latencies: readonly number[];
  readonly failures: number;
}

async function seen(ask: Ask, quiet: LoadClient): Promise<Seen> {
  const latencies: number[] = [];
  let failures = 0;
  const endsAt = performance.now() + Number(options.seconds) * 1000;
  while (performance.now() < endsAt) {
    const sentAt = performance.now();
    const { status } = await ask(quiet);
    latencies.push(performance.now() - sentAt);
    if (status >= 300) failures++;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return { latencies, failures };
}

/**
 * The quiet user's machine has nothing else to do. Here it gets a processor the
 * moment it needs one, idle and during the flood, where it may: what it waits for
 * is the server then, and not a slice of time that another process has begun.
 */
function takePrecedence(): void {
  if (process.platform !== 'linux') return;
  try {
    const args = ['--all-tasks', '--reset-on-fork', '--rr', '--pid', '1', String(process.pid)];
    execFileSync('chrt', args, { stdio: 'ignore' });
  } catch {
    console.log('the quiet user shares its processor with the others: chrt needs root');
  }
}

/**
 * The flood comes from other machines. Here it may have what processor time the
 * server and the quiet user leave: otherwise their waiting for a core would be measured.
 */
const LEFTOVER_TIME = process.platform === 'linux' ? ['chrt', '--idle', '0'] : [];

function startFlood({ endpoint }: Target, args: string[]): ChildProcess {
  const token = tokenOf('noisy');
  const flood = ['bench/load/flood.ts', endpoint.url, token, options.connections, ...args];
  const [command = '', ...rest] = [...LEFTOVER_TIME, process.execPath, '--import=tsx', ...flood];
  return spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The same during a flood at its full strength, and what the flood was answered. */
async function besides(
  look: () => Promise<Seen>,
  flooded: Target,
  args: string[],
): Promise<Seen & { readonly flood: string }> {
  const flood = startFlood(flooded, args);
  let answers = '';
  flood.stdout?.setEncoding('utf8').on('data', (piece: string) => (answers += piece));
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const loaded = await look();
  const ended = new Promise((resolve) => flood.once('exit', resolve));
  flood.kill('SIGTERM');
  await ended;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return { ...loaded, flood: answers.trim() };
}

interface Round {
  readonly idle: Seen;
  readonly control: Seen | undefined;
  readonly loaded: Seen & { readonly flood: string };
}

/** As many rounds as are asked for, on one fresh server. */
async function roundsOf(ask: Ask, flood: string[]): Promise<Round[]> {
  const target = await filled();
  const other = options.control ? await filled() : undefined;
  const quiet = new LoadClient({ url: target.endpoint.url, token: tokenOf('quiet') }, 1);
  const look = (): Promise<Seen> => seen(ask, quiet);
  await look(); // warm
  const rounds: Round[] = [];
  for (let i = 0; i < Number(options.rounds); i++) {
    const idle = await look();
    const control = other && (await besides(look, other, flood));
    rounds.push({ idle, control, loaded: await besides(look, target, flood) });
  }
  quiet.close();
  await target.stop();
  await other?.stop();
  return rounds;
}

/** Of all requests of all rounds. */
function overall(share: number, of: readonly Seen[]): number {
  return percentile(
    of.flatMap(({ latencies }) => latencies),
    share,
  );
}

/** How many times the p99 of one is that of the other: of all rounds, and from which round's to which. */
function ratio(of: readonly Seen[], to: readonly Seen[]): string {
  const each = of.map((one, i) => overall(0.99, [one]) / overall(0.99, to.slice(i, i + 1)));
  const range = `${Math.min(...each).toFixed(2)} to ${Math.max(...each).toFixed(2)}`;
  return `${(overall(0.99, of) / overall(0.99, to)).toFixed(2)} (${range})`;
}

takePrecedence();
const columns = ['quiet user / noisy user', 'p50 ms idle', 'loaded', 'p99 ms idle', 'loaded'];
const ratios = ['p99 to idle (single rounds)', 'to control', 'failures', 'flood'];
console.log([...columns, ...ratios].join('\t'));
for (const [asked, ask] of Object.entries(asks)) {
  for (const [flooded, args] of Object.entries(floods)) {
    const row = `${asked} / ${options.connections} × ${flooded}`;
    if (!row.includes(options.rows)) continue;
    const rounds = await roundsOf(ask, args);
    const idle = rounds.map((round) => round.idle);
    const loaded = rounds.map((round) => round.loaded);
    const control = rounds.flatMap((round) => round.control ?? []);
    const figures = [0.5, 0.99].flatMap((share) => [overall(share, idle), overall(share, loaded)]);
    const cells = [
      ...figures.map((ms) => ms.toFixed(2)),
      ratio(loaded, idle),
      control.length === 0 ? '-' : ratio(loaded, control),
      String(loaded.reduce((sum, { failures }) => sum + failures, 0)),
      loaded.at(-1)?.flood ?? '',
    ];
    console.log([row, ...cells].join('\t'));
  }
}
