import assert from 'node:assert/strict';
import { systemClock } from '../../api/clock.ts';
import { revisionOf } from '../../api/revision.ts';
import { Authenticator } from './authenticator.ts';
import { EtcdCallError } from './call-error.ts';
import type { EtcdClient } from './client.ts';
import { Cluster } from './cluster.ts';
import { Epoch } from './epoch.ts';
import { Journal, type Mark } from './journal.ts';
import { KeySpace } from './key-space.ts';
import { LeasePool } from './lease-pool.ts';
import { Lineage } from './lineage.ts';
import { FateResolver } from './resolve-unknown.ts';
import { Writer } from './writer.ts';

/** A member whose answers are more than is taken. */
function member(calls: string[]): EtcdClient {
  const call = (method: string): Promise<unknown> => {
    calls.push(method);
    return Promise.reject(new EtcdCallError('answerTooLarge', 'too much'));
  };
  return { endpoint: 'member', call, close: () => undefined } as unknown as EtcdClient;
}

describe('a write whose answer is too large', () => {
  it('may have been executed: its fate is found out', async () => {
    const calls: string[] = [];
    const keys = new KeySpace('/r');
    const cluster = new Cluster([member(calls)], new Authenticator(undefined), systemClock);
    const journal = new Journal(keys, cluster, systemClock);
    const epoch = new Epoch();
    const lineage = new Lineage();
    const fates = new FateResolver({ cluster, keys, journal, epoch, lineage, clock: systemClock });
    const asked: Mark[] = [];
    fates.resolve = (mark) => {
      asked.push(mark);
      return Promise.resolve(revisionOf(9n));
    };
    const leases = new LeasePool(cluster, systemClock);
    const writer = new Writer({ cluster, keys, journal, epoch, lineage, leases, fates });
    const operations = [{ op: 'create', key: 'a', value: Buffer.from('x') }] as const;
    const result = await writer.write({ operations, guards: [] }, {});
    assert.deepEqual(result, { outcome: 'ok', revision: 9n });
    assert.deepEqual([calls, asked.length], [['txn'], 1]);
  });
});
