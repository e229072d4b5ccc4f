import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { systemClock } from '../../api/clock.ts';
import { Authenticator } from '../../storage/etcd/authenticator.ts';
import { EtcdCallError } from '../../storage/etcd/call-error.ts';
import type { EtcdClient } from '../../storage/etcd/client.ts';
import { Cluster } from '../../storage/etcd/cluster.ts';
import { H2Client } from '../../storage/etcd/h2-client.ts';
import type { TxnRequest, WatchCreateRequest, WatchResponse } from '../../storage/etcd/wire.ts';
import { MAX_BATCH } from '../../storage/interface.ts';
import { eventually } from '../contract/store-kit.ts';
import { TcpProxy } from '../support/etcd-proxy.ts';
import { TestEtcd } from '../support/etcd.ts';
import { ReferenceClient } from '../support/etcd3-client.ts';

const LIMITS = { timeoutMs: 10_000 };

/** The store's own transport to etcd, compared with the etcd3 package. */
describe('etcd: transport', () => {
  let etcd: TestEtcd;
  let client: EtcdClient;
  let reference: ReferenceClient;

  before(async () => {
    etcd = await TestEtcd.start();
    client = etcd.client();
    reference = new ReferenceClient(etcd.url);
  });
  after(async () => {
    client.close();
    reference.close();
    await etcd.dispose();
  });

  const key = (name: string): Buffer => Buffer.from(`t/${name}`);

  function put(name: string, value: Buffer): TxnRequest {
    return { conditions: [], success: [{ put: { key: key(name), value } }], failure: [] };
  }

  it('cancels a call at once while the connection is still being opened', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const slow = new H2Client(`http://127.0.0.1:${port}`, {});
    try {
      const caller = new AbortController();
      const call = slow.call('range', { key: key('x') }, { ...LIMITS, signal: caller.signal });
      caller.abort();
      await assert.rejects(call, (error) => {
        return error instanceof EtcdCallError && error.failure === 'cancelled';
      });
    } finally {
      slow.close();
      silent.close();
    }
  });

  it('reads from the next member when one takes connections and says nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const slow = new H2Client(`http://127.0.0.1:${port}`, {});
    const cluster = new Cluster([slow, client], new Authenticator(undefined), systemClock);
    try {
      const { kvs } = await cluster.read('range', { key: key('none') }, { timeoutMs: 5_000 });
      assert.deepEqual(kvs, []);
    } finally {
      slow.close();
      silent.close();
    }
  });

  it('reads what the etcd3 package reads', async () => {
    for (let i = 0; i < 5; i++)
      await client.call('txn', put(`r${i}`, Buffer.alloc(i * 700, i)), LIMITS);
    const whole = { key: key('r'), rangeEnd: key('s') };
    const requests = [
      whole,
      { key: key('r1') },
      { key: key('none') },
      { ...whole, limit: 2 },
      { ...whole, keysOnly: true },
      { ...whole, countOnly: true },
      { ...whole, revision: 3n },
    ];
    for (const request of requests) {
      assert.deepEqual(await client.call('range', request, LIMITS), await reference.range(request));
    }
  });

  it('writes what the etcd3 package writes', async () => {
    const transaction = (name: string, modRevision: bigint): TxnRequest => ({
      conditions: [{ key: key(name), modRevision }],
      success: [
        { put: { key: key(name), value: Buffer.from('v') } },
        { delete: { key: key('none') } },
        { range: { key: key(name) } },
      ],
      failure: [{ range: { key: key(name) } }, { range: { key: key('none') } }],
    });
    const ours = await client.call('txn', transaction('w', 0n), LIMITS);
    assert.equal(ours.succeeded, true);
    assert.equal(ours.ranges[2]!.kvs[0]!.value.toString(), 'v');
    const again = await client.call('txn', transaction('w', 0n), LIMITS);
    assert.deepEqual(again, await reference.txn(transaction('w', 0n)));
    assert.equal(again.succeeded, false);
    const theirs = await reference.txn(transaction('w2', 0n));
    assert.equal(theirs.header.clusterId, ours.header.clusterId);
    const next = await client.call('txn', transaction('w', ours.header.revision), LIMITS);
    assert.equal(next.succeeded, true);
  });

  it('reads all objects that may stand in the way of a batch, each as large as etcd takes', async () => {
    const keys = Array.from({ length: MAX_BATCH }, (_, i) => `large${i}`);
    const value = Buffer.alloc(1_450_000, 'x');
    for (const name of keys) await client.call('txn', put(name, value), LIMITS);
    const refused: TxnRequest = {
      conditions: [{ key: key('none'), modRevision: 1n }],
      success: [],
      failure: keys.map((name) => ({ range: { key: key(name) } })),
    };
    const { ranges } = await client.call('txn', refused, LIMITS);
    assert.equal(ranges.length, MAX_BATCH);
    assert.ok(ranges.every((range) => range?.kvs[0]?.value.equals(value) === true));
  });

  it('watches what the etcd3 package watches, also in fragments', async () => {
    const from = (await client.call('range', { key: key('x') }, LIMITS)).header.revision + 1n;
    for (let i = 0; i < 6; i++)
      await client.call('txn', put(`f${i}`, Buffer.alloc(700_000, i)), LIMITS);
    const gone: TxnRequest = {
      conditions: [],
      success: [{ delete: { key: key('f0') } }],
      failure: [],
    };
    await client.call('txn', gone, LIMITS);
    const create = {
      key: key('f'),
      rangeEnd: key('g'),
      startRevision: from,
      previous: true,
      fragment: true,
    };
    const done = (responses: readonly WatchResponse[]): boolean => {
      return responses.flatMap(({ events }) => events).length === 7;
    };
    const ours = await watch(client, create, done);
    const theirs = await reference.watch(create, done);
    assert.deepEqual(ours, theirs);
    assert.ok(
      ours.some(({ fragment }) => fragment),
      'nothing was fragmented',
    );
    assert.equal(ours.flatMap(({ events }) => events).at(-1)!.deleted, true);
  });

  it('hands over nothing while it is paused, and all of it afterwards', async () => {
    const from = (await client.call('range', { key: key('x') }, LIMITS)).header.revision + 1n;
    const seen: bigint[] = [];
    let paused = false;
    const connection = client.watch(
      {
        onResponse({ created, events }) {
          assert.ok(!paused, 'something came through');
          if (created) return;
          for (const { kv } of events) seen.push(kv.modRevision);
          paused = true;
          connection.pause();
          setImmediate(() => {
            paused = false;
            connection.resume();
          });
        },
        onEnd: (error) => assert.fail(error),
      },
      undefined,
    );
    connection.send({ create: { key: key('p'), startRevision: from } });
    const writes = Array.from({ length: 200 }, (_, i) => {
      return client.call('txn', put('p', Buffer.from(String(i))), LIMITS);
    });
    const revisions = (await Promise.all(writes)).map(({ header }) => header.revision);
    await eventually('all have come', () => (seen.length === 200 ? true : undefined));
    assert.deepEqual(
      seen,
      revisions.sort((a, b) => Number(a - b)),
    );
    connection.cancel();
  });

  it('ends at the deadline or on cancellation, and reports which', async () => {
    const proxy = await TcpProxy.to(etcd.url);
    const far = new H2Client(proxy.url, {});
    await far.call('range', { key: key('x') }, LIMITS);
    proxy.holdReplies();
    const failure = async (promise: Promise<unknown>): Promise<string> => {
      const error: unknown = await promise.then(
        () => 'answered',
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof EtcdCallError, String(error));
      return error.failure;
    };
    const late = far.call('range', { key: key('x') }, { timeoutMs: 100 });
    assert.equal(await failure(late), 'deadline');
    const controller = new AbortController();
    const given = far.call('range', { key: key('x') }, { ...LIMITS, signal: controller.signal });
    controller.abort();
    assert.equal(await failure(given), 'cancelled');
    const cut = far.call('range', { key: key('x') }, LIMITS);
    await new Promise((resolve) => setTimeout(resolve, 20));
    proxy.cut();
    assert.equal(await failure(cut), 'lost');
    proxy.refuse(true);
    assert.equal(await failure(far.call('range', { key: key('x') }, LIMITS)), 'refused');
    far.close();
    assert.equal(await failure(far.call('range', { key: key('x') }, LIMITS)), 'refused');
    await proxy.close();
  });
});

function watch(
  client: EtcdClient,
  create: WatchCreateRequest,
  done: (responses: readonly WatchResponse[]) => boolean,
): Promise<WatchResponse[]> {
  const responses: WatchResponse[] = [];
  return new Promise((resolve, reject) => {
    const connection = client.watch(
      {
        onResponse(response) {
          responses.push(response);
          if (!done(responses)) return;
          connection.cancel();
          resolve(responses);
        },
        onEnd: reject,
      },
      undefined,
    );
    connection.send({ create });
  });
}
