import assert from 'node:assert/strict';
import { eventually, type Plinth } from '../support/plinth.ts';
import { ResumingWatcher } from '../support/resuming-watcher.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const WRITES = 1_000;
const WATCHERS = 50;

/** Creates all objects with many requests under way; returns the revision of each that was answered. */
async function writeAll(plinth: Plinth): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < WRITES) {
      const name = `w${next++}`;
      for (;;) {
        try {
          const { status, json } = await plinth.send('POST', LEASES, { metadata: { name } });
          if (status === 201) acknowledged.set(name, json.metadata.resourceVersion);
          // an answer that was lost may have been a success
          if (status === 201 || status === 409) break;
        } catch {
          // connection refused or cut: the server is down
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  await Promise.all(Array.from({ length: 100 }, worker));
  return acknowledged;
}

/**
 * Crashes something three times while many clients write and watch, and checks
 * that no answered write is lost, and that every watcher sees each write once, in order.
 *
 * @returns how often the watchers had to connect again
 */
export async function crashUnderLoad(plinth: Plinth, crash: () => Promise<void>): Promise<number> {
  const start = BigInt((await plinth.get(LEASES)).json.metadata.resourceVersion);
  const watchers = Array.from(
    { length: WATCHERS },
    () => new ResumingWatcher(plinth, LEASES, start),
  );
  const running = watchers.map((watcher) => watcher.run());
  const writing = writeAll(plinth);
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 150 + 200 * Math.random()));
    await crash();
  }
  const acknowledged = await writing;

  const { json } = await plinth.get(LEASES);
  const stored = new Map<string, string>(
    json.items.map((item: any) => [item.metadata.name, item.metadata.resourceVersion]),
  );
  assert.equal(stored.size, WRITES, 'every write was retried until it was there');
  for (const [name, revision] of acknowledged) {
    assert.equal(
      stored.get(name),
      revision,
      `the answered write of ${name} is there at its revision`,
    );
  }
  const expected = [...stored]
    .sort(([, a], [, b]) => (BigInt(a) < BigInt(b) ? -1 : 1))
    .map(([name, revision]) => `ADDED ${name}@${revision}`);
  const last = BigInt(expected.at(-1)!.split('@')[1]!);
  await eventually(() => watchers.every((w) => w.revision >= last), 'all events at all watchers');
  const reconnects = watchers.reduce((sum, watcher) => sum + watcher.reconnects, 0);
  for (const watcher of watchers) watcher.stop();
  await Promise.all(running);
  for (const watcher of watchers) {
    assert.deepEqual(watcher.violations, []);
    assert.deepEqual(watcher.seen, expected, 'every event once, in order');
  }
  return reconnects;
}
