import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { Command } from 'commander';
import { tokenUsers } from '../test/support/token-users.ts';
import { LoadClient } from './load/client.ts';
import { percentile } from './load/measure.ts';
import { startPlinth, type Target } from './load/target.ts';

/**
 * One user asks now and then; another one floods the server from fifty times as
 * many connections as it can use. What does the first one notice? With
 * `--control`, also what they notice of a flood that asks another server on this
 * machine: that is the part of sharing processors, not of sharing a server.
 * `node --import=tsx bench/fairness.ts` after `npm run build`.
 */
const options = new Command('fairness')
  .option('--connections <n>', 'connections of the noisy user', '400')
  .option('--objects <n>', 'objects in the collection', '2000')
  .option('--seconds <n>', 'time per figure', '6')
  .option('--rounds <n>', 'rounds of an idle and a loaded server; their median counts', '3')
  .option('--rows <text>', 'only rows whose name contains this', '')
  .option('--fair <true|false>', 'queues by user', 'true')
  .option('--control', 'measure beside a flood of another server as well', false)
  .parse()
  .opts<
    Record<'connections' | 'objects' | 'seconds' | 'rounds' | 'rows' | 'fair', string> & {
      control: boolean;
    }
  >();

const PAUSE_MS = 5;
const users = tokenUsers(['noisy', 'quiet']);
const args = [...users.args, '--enable-priority-and-fairness', options.fair];
const target = await startPlinth('embedded', args);
const other = options.control ? await startPlinth('embedded', args) : undefined;
const { url } = target.endpoint;
const tokenOf = (user: string): string => users.as(user).authorization.slice('Bearer '.length);
const quiet = new LoadClient({ url, token: tokenOf('quiet') }, 1);
const leases = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const lease = { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease' };

async function fill({ endpoint }: Target): Promise<void> {
  const setup = new LoadClient(endpoint, 32);
  for (let i = 0; i < Number(options.objects); i += 32) {
    await Promise.all(
      Array.from({ length: 32 }, (_, k) =>
        setup.send('POST', leases, { ...lease, metadata: { name: `item-${i + k}` } }),
      ),
    );
  }
  setup.close();
}

await fill(target);
if (other !== undefined) await fill(other);
takePrecedence();

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
 * The quiet user's machine has nothing else to do. Here it gets a processor the
 * moment it needs one, idle and beside the flood, where it may: what it waits for
 * is the server then, and not a slice of time that somebody else has begun.
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

/** A figure beside a flood at its full strength, and what the flood was answered. */
async function besides(
  ask: () => Promise<{ status: number }>,
  flooded: Target,
  args: string[],
): Promise<Figure & { readonly flood: string }> {
  const flood = startFlood(flooded, args);
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

interface Round {
  readonly idle: Figure;
  readonly control: Figure | undefined;
  readonly loaded: Figure & { readonly flood: string };
}

async function round(ask: () => Promise<{ status: number }>, args: string[]): Promise<Round> {
  const idle = await figure(ask);
  const control = other && (await besides(ask, other, args));
  return { idle, control, loaded: await besides(ask, target, args) };
}

/** The median, and from where to where. */
function spread(ratios: readonly number[]): string {
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return `${percentile(ratios, 0.5).toFixed(2)} (${range})`;
}

const columns = ['quiet user / noisy user', 'p50 ms idle', 'loaded', 'p99 ms idle', 'loaded'];
const ratios = ['p99 to idle, median (lowest to highest)', 'to control', 'failures', 'flood'];
console.log([...columns, ...ratios].join('\t'));
for (const [asked, ask] of Object.entries(asks)) {
  for (const [flooded, args] of Object.entries(floods)) {
    const row = `${asked} / ${options.connections} × ${flooded}`;
    if (!row.includes(options.rows)) continue;
    await figure(ask); // warm
    const rounds: Round[] = [];
    for (let i = 0; i < Number(options.rounds); i++) rounds.push(await round(ask, args));
    const median = (of: (round: Round) => number): string =>
      percentile(rounds.map(of), 0.5).toFixed(2);
    const cells = [
      median(({ idle }) => idle.p50),
      median(({ loaded }) => loaded.p50),
      median(({ idle }) => idle.p99),
      median(({ loaded }) => loaded.p99),
      spread(rounds.map(({ idle, loaded }) => loaded.p99 / idle.p99)),
      other === undefined
        ? '-'
        : spread(rounds.map(({ control, loaded }) => loaded.p99 / (control?.p99 ?? NaN))),
      String(rounds.reduce((sum, { loaded }) => sum + loaded.failures, 0)),
      rounds.at(-1)?.loaded.flood ?? '',
    ];
    console.log([row, ...cells].join('\t'));
  }
}
quiet.close();
await target.stop();
await other?.stop();
