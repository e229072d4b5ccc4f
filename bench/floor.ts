import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { makeAuthority } from '../access/pki/certificates.ts';
import { LoadClient } from './load/client.ts';
import { measure } from './load/measure.ts';
import { startWithStore } from './load/target.ts';
import { Bench } from './load/workloads.ts';

/**
 * How close reads are to the least that a server on Node can take: each row is also
 * answered by a bare HTTPS server of Node that holds the finished bytes of the same
 * answer and does nothing else. Both are driven in turns by the same client.
 * Figures, not tests.
 */
const options = new Command('bench/floor')
  .option('--store <name>', 'embedded or etcd', 'embedded')
  .option('--objects <n>', 'objects of the collection', '10000')
  .option('--seconds <n>', 'time for one row', '3')
  .option('--repeat <n>', 'rounds over all rows', '3')
  .parse()
  .opts<Record<'store' | 'objects' | 'seconds' | 'repeat', string>>();

/** Answers each path that it is given with the bytes of a file. */
const BARE = `
import { createServer } from 'node:https';
import { readFileSync } from 'node:fs';
const [directory, count] = process.argv.slice(1);
const of = (name) => readFileSync(directory + '/' + name);
const bodies = Array.from({ length: Number(count) }, (_, i) => of('body-' + i));
const server = createServer({ key: of('key'), cert: of('cert') }, (request, response) => {
  const body = bodies[Number(request.url.slice(1))];
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

interface Row {
  readonly name: string;
  readonly inFlight: number;
  readonly path: (i: number) => string;
}

const bench = new Bench(await startWithStore(options.store), {
  objects: Number(options.objects),
  seconds: Number(options.seconds),
});
await bench.fill();
const rows: readonly Row[] = [
  { name: 'get', inFlight: 32, path: (i) => bench.item(i) },
  {
    name: 'get, resourceVersion=0',
    inFlight: 32,
    path: (i) => `${bench.item(i)}?resourceVersion=0`,
  },
  { name: 'list, limit=500', inFlight: 4, path: () => `${bench.collection}?limit=500` },
  { name: 'list of all', inFlight: 4, path: () => bench.collection },
];

const directory = mkdtempSync(join(tmpdir(), 'plinth-floor-'));
const { certificate, key } = await makeAuthority('floor', Date.now());
writeFileSync(join(directory, 'cert'), certificate);
writeFileSync(join(directory, 'key'), key, { mode: 0o600 });
for (const [i, { path }] of rows.entries()) {
  const { text } = await bench.client.send('GET', path(0), undefined, 'application/json', true);
  writeFileSync(join(directory, `body-${i}`), text);
}
const bare = spawn(
  process.execPath,
  ['--input-type=module', '--eval', BARE, directory, String(rows.length)],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const port = await new Promise<string>((resolve) => {
  bare.stdout.setEncoding('utf8').once('data', resolve);
});
const client = new LoadClient({ url: `https://127.0.0.1:${port.trim()}` }, 64);

const figures = new Map<string, number[]>();
function note(name: string, cpuMs: number): void {
  figures.set(name, [...(figures.get(name) ?? []), cpuMs]);
}
for (let round = 0; round < Number(options.repeat); round++) {
  for (const [at, { name, inFlight, path }] of rows.entries()) {
    const own = await measure(bench.load(inFlight), (i) => bench.get(path(i)));
    note(name, own.cpuMs);
    const pids = bare.pid === undefined ? [] : [bare.pid];
    const least = await measure({ ...bench.load(inFlight), pids }, async () => {
      return (await client.send('GET', `/${at}`)).status === 200;
    });
    note(`bare ${name}`, least.cpuMs);
    if (own.failures + least.failures > 0) throw new Error(`${name}: a request failed`);
  }
}

console.log('| row | bare Node, CPU ms | Plinth, CPU ms | times |\n|---|---|---|---|');
for (const { name } of rows) {
  const least = spreadOf(figures.get(`bare ${name}`) ?? []);
  const own = spreadOf(figures.get(name) ?? []);
  console.log(
    `| ${name} | ${least.text} | ${own.text} | ${(own.median / least.median).toFixed(2)} |`,
  );
}
client.close();
bench.close();
bare.kill();
rmSync(directory, { recursive: true });
await bench.target.stop();

/** The median, ± half of what lies between the lowest and the highest. */
function spreadOf(values: readonly number[]): { readonly median: number; readonly text: string } {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, median, high] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
  if (low === undefined || median === undefined || high === undefined) {
    throw new Error('no figure');
  }
  return { median, text: `${median.toFixed(3)} ±${((high - low) / 2).toFixed(3)}` };
}
