import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { cpuMs } from '../../bench/load/process.ts';
import { hasHadChildren, processesOf, socketsOf } from '../support/children.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { ResumingWatcher } from '../support/resuming-watcher.ts';
import { zeroPages } from '../storage/embedded-pages.ts';
import { crashUnderLoad } from './crash-load.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const MIB = 1024 * 1024;
/** What the system counts the CPU of a process in: user and system are rounded for themselves. */
const TICKS_MS = 20;
const MERGE = { 'content-type': 'application/merge-patch+json' };

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('--workers on the embedded store', function () {
  let plinth: Plinth;
  beforeEach(async () => {
    plinth = await Plinth.start({ args: ['--workers', '2'] });
    await eventually(async () => {
      const { text } = await send('GET', '/metrics');
      return ['0', '1'].every((worker) => text.includes(`{worker="${worker}"`));
    }, 'both workers');
  });
  afterEach(async () => {
    // in order: processes of a supervisor that was killed end a moment after it
    await plinth.stop();
    await plinth.dispose();
  });

  /** Of a connection of its own: the workers take turns. */
  function send(...request: Parameters<Plinth['send']>): Promise<Reply> {
    const [method, path, body, headers] = request;
    return plinth.send(method, path, body, { connection: 'close', ...headers });
  }

  /** Requests for leases that each worker has answered. */
  async function answered(): Promise<number[]> {
    const { text } = await send('GET', '/metrics');
    const counts = [0, 0];
    const series = /^apiserver_request_total\{worker="(\d)",(.*)\} (\d+)$/gm;
    for (const [, worker, labels = '', count] of text.matchAll(series)) {
      if (labels.includes('resource="leases"')) counts[Number(worker)]! += Number(count);
    }
    return counts;
  }

  it('G1: what one worker has written is there at once through every worker', async () => {
    const before = await answered();
    for (let i = 0; i < 30; i++) {
      const path = `${LEASES}/w${i}`;
      const created = await send('POST', LEASES, { metadata: { name: `w${i}` } });
      assert.equal(created.status, 201);
      const read = await send('GET', path);
      assert.equal(read.text, created.text);
      const patch = { metadata: { labels: { i: String(i) } } };
      const patched = await send('PATCH', path, patch, MERGE);
      assert.equal(patched.status, 200);
      const [once, again, list] = [await send('GET', path), await send('GET', path), await all()];
      assert.deepEqual([once.text, again.text], [patched.text, patched.text]);
      assert.equal(list.length, i + 1);
      assert.equal(
        list.find(({ metadata }) => metadata.name === `w${i}`)!.metadata.labels.i,
        `${i}`,
      );
    }
    const after = await answered();
    assert.ok(
      after.every((count, i) => count > before[i]! + 30),
      `${before.join()} ${after.join()}`,
    );
  });

  it('G11: of conditional writes at one revision exactly one happens, whichever worker takes it', async () => {
    const path = `${LEASES}/contended`;
    let object = (await send('POST', LEASES, { metadata: { name: 'contended' } })).json;
    for (let round = 0; round < 20; round++) {
      const writers = Array.from({ length: 6 }, (_, i) => {
        const labels = { writer: `${round}-${i}` };
        return send('PUT', path, { ...object, metadata: { ...object.metadata, labels } });
      });
      const replies = await Promise.all(writers);
      const [winner, ...others] = replies.filter(({ status }) => status === 200);
      assert.deepEqual(others, []);
      assert.equal(replies.filter(({ status }) => status === 409).length, 5);
      object = (await send('GET', path)).json;
      assert.equal(object.metadata.labels.writer, winner!.json.metadata.labels.writer);
    }
  });

  it('G4: watches at every worker show each change once, in order, and the same', async () => {
    const from = BigInt((await send('GET', LEASES)).json.metadata.resourceVersion);
    const watchers = Array.from({ length: 4 }, () => new ResumingWatcher(plinth, LEASES, from));
    const running = watchers.map((watcher) => watcher.run());
    const expected: string[] = [];
    for (let i = 0; i < 40; i++) {
      const name = `w${i}`;
      const made = await send('POST', LEASES, { metadata: { name } });
      const patch = { metadata: { labels: { i: String(i) } } };
      const changed = await send('PATCH', `${LEASES}/${name}`, patch, MERGE);
      expected.push(`ADDED ${name}@${made.json.metadata.resourceVersion}`);
      expected.push(`MODIFIED ${name}@${changed.json.metadata.resourceVersion}`);
    }
    await eventually(() => watchers.every(({ seen }) => seen.length >= 80), 'all events');
    for (const watcher of watchers) watcher.stop();
    await Promise.all(running);
    for (const { seen, violations } of watchers)
      assert.deepEqual([seen, violations], [expected, []]);
  });

  it('G10: kill -9 of a worker costs its connections and no answered write', async () => {
    await crashUnderLoad(plinth, async () => {
      const { workers, owners } = processesOf(plinth.pid);
      const victim = workers[Math.floor(Math.random() * workers.length)]!;
      process.kill(victim, 'SIGKILL');
      await eventually(() => {
        const now = processesOf(plinth.pid);
        assert.deepEqual(now.owners, owners, 'the owner of the store stays');
        return now.workers.length === 2 && !now.workers.includes(victim);
      }, 'another worker in its place');
    });
  });

  it('G10: kill -9 of the process that owns the store costs no answered write and no watch', async () => {
    const { workers } = processesOf(plinth.pid);
    const reconnects = await crashUnderLoad(plinth, async () => {
      const [owner] = processesOf(plinth.pid).owners;
      process.kill(owner!, 'SIGKILL');
      await eventually(() => {
        const { owners } = processesOf(plinth.pid);
        return owners.length === 1 && owners[0] !== owner;
      }, 'another owner');
      assert.equal((await plinth.get('/readyz')).status, 200, 'what can be read is ready');
    });
    assert.equal(reconnects, 0);
    assert.deepEqual(processesOf(plinth.pid).workers, workers);
  });

  it('shows CPU and memory of the process that owns the store on /metrics, also of the next one', async () => {
    for (let i = 0; i < 2; i++) {
      const [owner] = processesOf(plinth.pid).owners;
      const before = cpuMs(owner!);
      const shown = new Map<string, number>();
      await eventually(async () => {
        const { text } = await send('GET', '/metrics');
        const series = text.matchAll(/^(process_\w+)\{worker="owner"\} (\S+)$/gm);
        for (const [, name = '', value] of series) shown.set(name, Number(value));
        return shown.size > 0;
      }, 'metrics of the owner');
      const cpu = shown.get('process_cpu_seconds_total')! * 1000;
      assert.ok(cpu >= before - TICKS_MS && cpu <= cpuMs(owner!) + TICKS_MS, `${before} ${cpu}`);
      const memory = shown.get('process_resident_memory_bytes')! / MIB;
      assert.ok(memory > 10 && memory < 1_000, String(memory));
      assert.deepEqual([...shown.keys()].sort(), [
        ...['process_cpu_seconds_total', 'process_cpu_system_seconds_total'],
        ...['process_cpu_user_seconds_total', 'process_resident_memory_bytes'],
        'process_start_time_seconds',
      ]);
      process.kill(owner!, 'SIGKILL');
      await eventually(() => {
        const { owners } = processesOf(plinth.pid);
        return owners.length === 1 && owners[0] !== owner;
      }, 'another owner');
    }
  });

  it('has the file read by another process before an owner takes it over after two crashes, and after no kill', async () => {
    const signals = [
      ...Array<'SIGKILL'>(4).fill('SIGKILL'),
      'SIGSEGV',
      'SIGKILL',
      'SIGSEGV',
    ] as const;
    const isRead: boolean[] = [];
    for (const [i, signal] of signals.entries()) {
      const [before] = processesOf(plinth.pid).owners;
      process.kill(before!, signal);
      await eventually(() => processesOf(plinth.pid).owners[0] !== before, 'the end of an owner');
      await eventually(async () => {
        const { status } = await send('POST', LEASES, { metadata: { name: `after-${i}` } });
        return status === 201 || status === 409;
      }, 'a write');
      isRead.push(hasHadChildren(processesOf(plinth.pid).owners[0]!));
    }
    assert.deepEqual(isRead, [...Array<boolean>(6).fill(false), true]);
  });

  it('gives new connections to the worker that has fewer, because those that it had have ended', async () => {
    const { hostname: host, port } = new URL(plinth.url);
    const [first = 0, second = 0] = processesOf(plinth.pid).workers;
    /** Each worker shows its page after it has said which connections have ended. */
    const allTold = async (): Promise<void> => {
      for (let i = 0; i < 2; i++) assert.equal((await plinth.get('/metrics')).status, 200);
    };
    await allTold();
    const connectOne = async (): Promise<{ socket: Socket; isOfFirst: boolean }> => {
      const before = [socketsOf(first), socketsOf(second)];
      const socket = connect(Number(port), host);
      const isThere = (): boolean => socketsOf(first) + socketsOf(second) > before[0]! + before[1]!;
      await eventually(isThere, 'a connection');
      return { socket, isOfFirst: socketsOf(first) > before[0]! };
    };
    const all = [];
    for (let i = 0; i < 12; i++) all.push(await connectOne());
    const ofFirst = all.filter(({ isOfFirst }) => isOfFirst);
    const before = socketsOf(first);
    for (const { socket } of ofFirst) socket.destroy();
    await eventually(() => socketsOf(first) === before - ofFirst.length, 'the end of some');
    await allTold();
    for (let i = 0; i < 4; i++) all.push(await connectOne());
    assert.deepEqual(
      all.slice(-4).map(({ isOfFirst }) => isOfFirst),
      [true, true, true, true],
    );
    for (const { socket } of all) socket.destroy();
  });

  it('leaves no client waiting whose connection was on its way to a worker that was killed', async () => {
    const { workers } = processesOf(plinth.pid);
    for (const pid of workers) process.kill(pid, 'SIGSTOP');
    const { hostname: host, port } = new URL(plinth.url);
    const sockets = Array.from({ length: 5 }, () => connect(Number(port), host));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const closed = Promise.all(
      sockets.map((socket) => {
        socket.on('error', () => undefined).resume();
        return once(socket, 'close');
      }),
    );
    for (const pid of workers) process.kill(pid, 'SIGKILL');
    await closed;
    await eventually(() => {
      const now = processesOf(plinth.pid).workers;
      return now.length === 2 && !now.some((pid) => workers.includes(pid));
    }, 'other workers');
    await eventually(
      () =>
        send('GET', LEASES).then(
          ({ status }) => status === 200,
          () => false,
        ),
      'an answer',
    );
  });

  it('ends in order, with every process, and leaves the store to the next one', async () => {
    assert.equal((await send('POST', LEASES, { metadata: { name: 'kept' } })).status, 201);
    const { workers, owners } = processesOf(plinth.pid);
    assert.deepEqual([workers.length, owners.length], [2, 1]);
    // as a service manager does, which sends the signal to every process
    for (const pid of owners) process.kill(pid, 'SIGTERM');
    assert.equal((await send('POST', LEASES, { metadata: { name: 'last' } })).status, 201);
    assert.equal(await plinth.stop(), 0);
    const pids = [...workers, ...owners];
    assert.deepEqual(pids.filter(isRunning), []);
    await plinth.start();
    assert.equal((await send('GET', `${LEASES}/kept`)).status, 200);
  });

  it('ends with its supervisor when that is killed, and leaves the store to the next one', async () => {
    assert.equal((await send('POST', LEASES, { metadata: { name: 'kept' } })).status, 201);
    const { workers, owners } = processesOf(plinth.pid);
    await plinth.stop('SIGKILL');
    await eventually(() => ![...workers, ...owners].some(isRunning), 'the end of all');
    await plinth.start();
    assert.equal((await send('GET', `${LEASES}/kept`)).status, 200);
    assert.equal(await plinth.stop(), 0);
  });

  it('exits with code 1 when the data file is damaged', async () => {
    const name = 'object-of-the-test';
    assert.equal((await send('POST', LEASES, { metadata: { name } })).status, 201);
    const file = join(plinth.dataDir, 'store', 'store.mdb');
    const { workers, owners } = processesOf(plinth.pid);
    assert.ok(zeroPages(file, name) > 0);
    await eventually(async () => {
      zeroPages(file, name);
      await send('DELETE', `${LEASES}/${name}`).catch(() => undefined);
      await send('POST', LEASES, { metadata: { name } }).catch(() => undefined);
      return plinth.exitCode !== null;
    }, 'the end of the process');
    assert.equal(plinth.exitCode, 1);
    await eventually(() => ![...workers, ...owners].some(isRunning), 'the end of all');
    assert.match(plinth.output, /plinth: the data file \S+store\.mdb is corrupted/);
  });

  const all = async (): Promise<{ metadata: { name: string; labels: Record<string, string> } }[]> =>
    (await send('GET', LEASES)).json.items;
});
