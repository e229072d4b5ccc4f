import assert from 'node:assert/strict';
import { percentile } from '../../bench/load/measure.ts';
import { residentMiB } from '../../bench/load/process.ts';
import { endpointOf, LoadClient } from '../../bench/load/client.ts';
import { SilentWatcher } from '../../bench/load/silent-watcher.ts';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const HEALTHY = 60;
const SILENT = 10;
const ROUND = 80;
/** Enough that no socket holds what a silent watcher misses. */
const BYTES = 100_000;
const MIB_PER_SILENT = (ROUND * BYTES) / 1024 / 1024;
/** What other programs on the machine may add. */
const NOISE_MS = 100;
const TRIES = 3;

describe('G19: watchers that do not read', function () {
  let plinth: Plinth;
  let client: LoadClient;
  before(async () => {
    plinth = await Plinth.start();
    client = new LoadClient(endpointOf(plinth.kubeconfig), HEALTHY);
  });
  after(async () => {
    client.close();
    await plinth.dispose();
  });

  it('never delay other clients, use bounded memory, and receive every event when they read again', async () => {
    const arrivals = new Map<string, number[]>();
    const closers = await Promise.all(
      Array.from({ length: HEALTHY }, () =>
        client.watch(`${LEASES}?watch=1`, (line, at) => {
          const name = /"name":"([^"]*)"/.exec(line)?.[1] ?? '';
          arrivals.set(name, [...(arrivals.get(name) ?? []), at]);
        }),
      ),
    );
    /** Writes one object after the other. @returns latencies of all healthy watchers */
    const round = async (prefix: string): Promise<number[]> => {
      const latencies: number[] = [];
      for (let i = 0; i < ROUND; i++) {
        const name = `${prefix}-${i}`;
        const body = { metadata: { name, annotations: { padding: 'x'.repeat(BYTES) } } };
        const sentAt = performance.now();
        assert.equal((await client.send('POST', LEASES, body)).status, 201);
        await eventually(() => arrivals.get(name)?.length === HEALTHY, `${name} at all`);
        for (const at of arrivals.get(name)!) latencies.push(at - sentAt);
        arrivals.delete(name);
      }
      return latencies;
    };
    await round('warm');
    const alone = await round('alone');
    const revision = (await plinth.get(`${LEASES}?limit=1`)).json.metadata.resourceVersion;
    const silent = await Promise.all(
      Array.from({ length: SILENT }, () =>
        SilentWatcher.open(
          endpointOf(plinth.kubeconfig),
          `${LEASES}?watch=1&resourceVersion=${revision}`,
        ),
      ),
    );
    const before = residentMiB(plinth.pid);
    // Other processes make a round longer: of a few, the shortest counts.
    const together: number[] = [];
    const most = 1.2 * percentile(alone, 0.9) + NOISE_MS;
    together.push(percentile(await round('together-0'), 0.9));
    const growth = residentMiB(plinth.pid) - before;
    while (Math.min(...together) >= most && together.length < TRIES) {
      together.push(percentile(await round(`together-${together.length}`), 0.9));
    }
    assert.ok(Math.min(...together) < most, `p90 ${together.join(', ')} ms of at most ${most}`);
    // The events are kept once, for all; a copy for each would be ten times as much.
    assert.ok(growth < (SILENT / 2) * MIB_PER_SILENT, `${growth} MiB`);
    const events = await Promise.all(
      silent.map((watcher) => watcher.readUntil(`together-${together.length - 1}-${ROUND - 1}`)),
    );
    assert.deepEqual(
      events,
      silent.map(() => together.length * ROUND),
    );
    for (const close of closers) close();
    for (const watcher of silent) watcher.close();
  });
});
