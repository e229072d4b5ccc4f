import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { cpuMs, residentMiB } from '../../bench/load/process.ts';
import { TestEtcd } from '../support/etcd.ts';
import { eventually, Plinth } from '../support/plinth.ts';
import { tokenUsers } from '../support/token-users.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const users = tokenUsers(['watcher']);
/** PLINTH_CHAOS_WATCHERS=2000 for a machine with few files. */
const WATCHERS = Number(process.env['PLINTH_CHAOS_WATCHERS'] ?? 10_000);
const WRITES_PER_SECOND = 10;
const SECONDS = 5;
const CONNECTING_AT_A_TIME = 200;
const MAX_MIB = 1_536;
/** CPU time of the server to take all of them back, as a multiple of what their first opening cost it. */
const MAX_BACK_CPU = 1.5;
/** Handshakes are made by this process, too, and by whatever else runs on the machine. */
const BACK_MS = 150_000;

/** Resumes wherever its stream ends; keeps the revisions that it has seen. */
class Watcher {
  static over = false;
  readonly revisions: number[] = [];
  last: number;
  #response: IncomingMessage | undefined;

  constructor(revision: number) {
    this.last = revision;
  }

  get isOpen(): boolean {
    return this.#response !== undefined;
  }

  /** Opens a stream, however often it takes, until the test is over. */
  async open(plinth: Plinth, agent: Agent): Promise<void> {
    while (!Watcher.over && !(await this.#try(plinth, agent)))
      await new Promise((r) => setTimeout(r, 200));
  }

  close(): void {
    this.#response?.destroy();
  }

  #try(plinth: Plinth, agent: Agent): Promise<boolean> {
    return new Promise((resolve) => {
      const url = `${plinth.url}${LEASES}?watch=1&resourceVersion=${this.last}`;
      const req = request(url, { agent, headers: users.as('watcher') }, (response) => {
        if (response.statusCode !== 200) {
          response.resume();
          resolve(false);
          return;
        }
        this.#response = response;
        let rest = '';
        response.setEncoding('latin1');
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop()!;
          for (const line of lines) this.#onLine(line);
        });
        response.on('error', () => undefined);
        response.on('close', () => (this.#response = undefined));
        resolve(true);
      });
      req.on('error', () => resolve(false));
      req.end();
    });
  }

  #onLine(line: string): void {
    this.last = Number(/"resourceVersion":"(\d+)"/.exec(line)?.[1]);
    this.revisions.push(this.last);
  }
}

describe(`G20: ${WATCHERS} watchers`, function () {
  this.timeout(600_000);
  let etcd: TestEtcd;
  let plinth: Plinth;
  let agent: Agent;
  before(async () => {
    etcd = await TestEtcd.start();
    const limit = ['--max-long-running-requests', String(2 * WATCHERS)];
    plinth = await Plinth.start({ args: [...users.args, '--etcd-servers', etcd.url, ...limit] });
    agent = new Agent({ ca: plinth.tls.ca, keepAlive: false, maxSockets: Infinity });
  });
  after(async () => {
    Watcher.over = true;
    agent.destroy();
    await plinth.dispose();
    await etcd.dispose();
  });

  const openAll = async (watchers: readonly Watcher[]): Promise<number> => {
    const from = performance.now();
    const left = [...watchers];
    const opener = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        await next.open(plinth, agent);
      }
    };
    await Promise.all(Array.from({ length: CONNECTING_AT_A_TIME }, opener));
    return performance.now() - from;
  };

  it('see every write within a memory bound, and resume after the server is killed', async () => {
    const first = Number((await plinth.get(LEASES)).json.metadata.resourceVersion);
    const watchers = Array.from({ length: WATCHERS }, () => new Watcher(first));
    const cpuAtFirst = cpuMs(plinth.pid);
    const openedMs = await openAll(watchers);
    const openCpuMs = cpuMs(plinth.pid) - cpuAtFirst;
    const written: number[] = [];
    const write = async (): Promise<void> => {
      const name = `lease-${written.length}`;
      const { json } = await plinth.send('POST', LEASES, { metadata: { name } });
      written.push(Number(json.metadata.resourceVersion));
    };
    let peak = 0;
    for (let i = 0; i < WRITES_PER_SECOND * SECONDS; i++) {
      const next = performance.now() + 1_000 / WRITES_PER_SECOND;
      await write();
      peak = Math.max(peak, residentMiB(plinth.pid));
      await new Promise((resolve) => setTimeout(resolve, next - performance.now()));
    }
    const all = (): boolean => watchers.every(({ last }) => last === written.at(-1));
    await eventually(all, 'all have seen all');

    await plinth.stop('SIGKILL');
    await eventually(() => watchers.every(({ isOpen }) => !isOpen), 'the end of all');
    await plinth.start();
    await write();
    const cpuBefore = cpuMs(plinth.pid);
    const backMs = await openAll(watchers);
    const backCpuMs = cpuMs(plinth.pid) - cpuBefore;
    await write();
    await eventually(all, 'all have seen what came after');
    peak = Math.max(peak, residentMiB(plinth.pid));
    console.log(
      `    opened in ${Math.round(openedMs)} ms with ${openCpuMs} ms of CPU, back in ${Math.round(backMs)} ms with ${backCpuMs}, ${Math.round(peak)} MiB`,
    );
    assert.ok(peak < MAX_MIB, `${peak} MiB`);
    assert.ok(backCpuMs < MAX_BACK_CPU * openCpuMs, `${backCpuMs} ms of CPU, first ${openCpuMs}`);
    assert.ok(backMs < BACK_MS, `back after ${backMs} ms`);
    for (const { revisions } of watchers) assert.deepEqual(revisions, written);
    for (const watcher of watchers) watcher.close();
  });
});
