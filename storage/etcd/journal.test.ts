import assert from 'node:assert/strict';
import { systemClock } from '../../api/clock.ts';
import { revisionOf } from '../../api/revision.ts';
import { Authenticator } from './authenticator.ts';
import { EtcdCallError } from './call-error.ts';
import type { EtcdClient } from './client.ts';
import { Cluster } from './cluster.ts';
import { Journal, type Mark } from './journal.ts';
import { KeySpace } from './key-space.ts';
import type { KeyValue, RangeRequest, RangeResponse } from './wire.ts';

const KEYS = new KeySpace('/r');
const MINE = Buffer.from('mine');

interface State {
  readonly value: string;
  readonly created: bigint;
}

/** An etcd at revision 100 with one key: `states` by their revisions, undefined where it was deleted. */
function journalOver(key: Buffer, states: Record<number, State | undefined>): Journal {
  const revisions = Object.keys(states).map(Number);
  const at = (revision: number): KeyValue[] => {
    const last = Math.max(0, ...revisions.filter((changed) => changed <= revision));
    const state = states[last];
    if (state === undefined) return [];
    const { value, created } = state;
    return [{ key, value: Buffer.from(value), createRevision: created, modRevision: BigInt(last) }];
  };
  const call = (_method: string, request: RangeRequest): Promise<RangeResponse> => {
    assert.deepEqual(request.key, key);
    const kvs = at(Number(request.revision ?? 100n));
    const header = { clusterId: 7n, revision: 100n };
    return Promise.resolve({ header, kvs, more: false, count: kvs.length });
  };
  const member = { endpoint: 'member', call, close: () => undefined } as unknown as EtcdClient;
  const cluster = new Cluster([member], new Authenticator(undefined), systemClock);
  return new Journal(KEYS, cluster, systemClock);
}

describe('the mark of a write in the history', () => {
  const creation: Mark = { key: KEYS.key('a'), value: MINE, creates: true };
  const signature: Mark = { key: KEYS.author, value: MINE, creates: false };
  const since = revisionOf(90n);

  it('of a create is found though the object was changed, came to the same bytes and was deleted', async () => {
    const other = { value: 'other', created: 99n };
    const changed = { value: 'changed', created: 93n };
    const mine = { value: 'mine', created: 93n };
    for (const states of [
      { 93: mine },
      { 93: mine, 94: changed },
      { 93: mine, 94: changed, 95: mine },
      { 93: mine, 95: undefined },
      { 93: mine, 94: changed, 97: undefined, 99: other },
    ]) {
      assert.equal(await journalOver(creation.key, states).find(creation, since), 93n);
    }
  });

  it('of a create is not there when another one has made the object, before or since', async () => {
    for (const states of [
      {},
      { 40: { value: 'other', created: 40n } },
      { 40: { value: 'other', created: 40n }, 99: undefined },
      { 95: { value: 'other', created: 95n }, 97: undefined, 98: { value: 'x', created: 98n } },
    ]) {
      assert.equal(await journalOver(creation.key, states).find(creation, since), undefined);
    }
  });

  it('of another write is the entry that it has made, and not one from before', async () => {
    const entry = (value: string): State => ({ value, created: 1n });
    const states = { 89: entry('old'), 93: entry('mine'), 96: entry('x'), 98: entry('y') };
    assert.equal(await journalOver(KEYS.author, states).find(signature, since), 93n);
    const missing = { 89: entry('mine'), 96: entry('x') };
    assert.equal(await journalOver(KEYS.author, missing).find(signature, since), undefined);
  });

  it('is unknown where it may lie too deep', async () => {
    const long = revisionOf(20n);
    await assert.rejects(journalOver(creation.key, {}).find(creation, long), EtcdCallError);
  });
});
