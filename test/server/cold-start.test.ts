import assert from 'node:assert/strict';
import { openEtcdStore } from '../../storage/etcd/open.ts';
import { MAX_BATCH } from '../../storage/interface.ts';
import { encodeStored } from '../../storage/stored-bytes.ts';
import { TestEtcd } from '../support/etcd.ts';
import { freePorts } from '../support/ports.ts';
import { Plinth } from '../support/plinth.ts';
import { RawClient, head } from '../support/raw-client.ts';
import { tokenUsers } from '../support/token-users.ts';

const OBJECTS = 6_000;
const BYTES = 1_000;
const CLIENTS = 60;
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const users = tokenUsers(['client']);

/** What etcd has sent to its clients, in bytes. */
async function sentBy(etcd: TestEtcd): Promise<number> {
  const text = await (await fetch(`${etcd.url}/metrics`)).text();
  return Number(/^etcd_network_client_grpc_sent_bytes_total (\S+)$/m.exec(text)?.[1]);
}

describe('G27: a cold start', function () {
  let etcd: TestEtcd;
  before(async () => {
    etcd = await TestEtcd.start();
    const store = await openEtcdStore({ endpoints: [etcd.url] });
    const prefix = 'coordination.cluster.io/leases/default/';
    for (let i = 0; i < OBJECTS; i += MAX_BATCH) {
      const count = Math.min(MAX_BATCH, OBJECTS - i);
      const { outcome } = await store.batch(
        Array.from({ length: count }, (_, n) => {
          const metadata = {
            name: `lease-${i + n}`,
            namespace: 'default',
            uid: `uid-${i + n}`,
            annotations: { padding: 'x'.repeat(BYTES) },
          };
          const apiVersion = 'coordination.cluster.io/v1';
          const value = encodeStored({ apiVersion, kind: 'Lease', metadata, spec: {} });
          return { op: 'create' as const, key: `${prefix}lease-${i + n}`, value };
        }),
      );
      assert.equal(outcome, 'ok');
    }
    await store.close();
  });
  after(() => etcd.dispose());

  it('is not ready until the replica is loaded, and requests meanwhile cause no extra load on etcd', async () => {
    const [port] = await freePorts(1);
    const url = `https://127.0.0.1:${port}`;
    const sentBefore = await sentBy(etcd);
    let started = false;
    const firsts: { status: number; text: string }[] = [];
    // They knock until they are let in.
    const client = async (): Promise<void> => {
      for (;;) {
        const socket = await RawClient.open(url).catch(() => undefined);
        if (socket === undefined) {
          await new Promise((resolve) => setTimeout(resolve, 10));
          continue;
        }
        const path = `${LEASES}?resourceVersion=0&limit=1`;
        socket.send(head('GET', path, { ...users.as('client'), connection: 'close' }));
        while (socket.ended === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
        if (socket.status === 503 || socket.status === 429) continue;
        firsts.push({ status: socket.status ?? 0, text: socket.received });
        return;
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    const plinth = await Plinth.start({
      args: [...users.args, '--etcd-servers', etcd.url],
      port: port!,
    });
    try {
      started = true;
      assert.equal((await plinth.get('/readyz')).status, 200);
      await Promise.all(clients);
      assert.equal(firsts.length, CLIENTS);
      for (const { status, text } of firsts) {
        assert.equal(status, 200, text.slice(0, 300));
        const names = text.match(/"name":"lease-\d+"/g) ?? [];
        assert.equal(names.length, OBJECTS, 'the first answer shows everything');
      }
      // The objects once, and their history once, so that clients of before can resume.
      const sent = (await sentBy(etcd)) - sentBefore;
      const size = OBJECTS * BYTES;
      assert.ok(sent < 4 * size, `${sent} bytes for ${size}`);
    } finally {
      assert.ok(started);
      await plinth.dispose();
    }
  });
});
