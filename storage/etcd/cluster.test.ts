import assert from 'node:assert/strict';
import { FakeMember } from '../../test/support/etcd-fake.ts';
import { FakeClock, whileTimePasses } from '../../test/support/fake-clock.ts';
import { Authenticator } from './authenticator.ts';
import { classifyFailure, EtcdCallError, type CallFailure } from './call-error.ts';
import { Cluster } from './cluster.ts';

const REQUEST = { key: Buffer.from('k') };
const LIMITS = { timeoutMs: 5_000 };

async function failure(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => 'answered',
    (reason: unknown) => reason,
  );
  return error instanceof EtcdCallError ? error.failure : String(error);
}

describe('cluster', () => {
  let clock: FakeClock;
  let members: FakeMember[];
  let cluster: Cluster;

  function make(count: number, auth?: { username: string; password: string }): void {
    clock = new FakeClock();
    members = Array.from({ length: count }, (_, i) => new FakeMember(`http://m${i}`));
    cluster = new Cluster(members, new Authenticator(auth), clock);
  }
  const calls = (): number[] => members.map((member) => member.calls.length);

  it('uses one member as long as it answers', async () => {
    make(3);
    for (let i = 0; i < 5; i++) await cluster.read('range', REQUEST, LIMITS);
    assert.deepEqual(calls(), [5, 0, 0]);
    members[0]!.failure = 'lost';
    await cluster.read('range', REQUEST, LIMITS);
    await cluster.read('range', REQUEST, LIMITS);
    assert.deepEqual(calls(), [6, 2, 0]);
  });

  it('retries reads a bounded number of times', async () => {
    make(2);
    for (const member of members) member.failure = 'refused';
    const startedAt = clock.monotonic();
    const answer = failure(cluster.read('range', REQUEST, LIMITS));
    assert.equal(await whileTimePasses(clock, answer), 'refused');
    assert.deepEqual(calls(), [6, 6]);
    assert.ok(clock.monotonic() - startedAt < 2_000);
  });

  it('retries a write only when it was certainly not executed', async () => {
    make(2);
    const request = { conditions: [], success: [], failure: [] };
    for (const unanswered of ['lost', 'deadline'] satisfies CallFailure[]) {
      make(2);
      members[0]!.failure = unanswered;
      assert.equal(await failure(cluster.write('txn', request, LIMITS)), unanswered);
      assert.deepEqual(calls(), [1, 0]);
      assert.equal(cluster.current, members[1]);
    }
    make(2);
    members[0]!.failure = 'refused';
    members[1]!.failure = 'compacted';
    assert.equal(await failure(cluster.write('txn', request, LIMITS)), 'compacted');
    assert.deepEqual(calls(), [1, 1]);
  });

  it('fetches one new token for all waiting calls', async () => {
    make(1, { username: 'u', password: 'p' });
    let tokens = 0;
    members[0]!.onAuthenticate = () => `t${++tokens}`;
    members[0]!.onRange = () => {
      const { token } = members[0]!.calls.at(-1)!;
      if (token === 't1') throw new EtcdCallError('token', 'invalid auth token');
      return [];
    };
    await cluster.read('range', REQUEST, LIMITS);
    assert.equal(tokens, 2);
    await cluster.read('range', REQUEST, LIMITS);
    assert.equal(tokens, 2);
    members[0]!.onRange = () => {
      throw new EtcdCallError('token', 'invalid auth token');
    };
    assert.equal(await failure(cluster.read('range', REQUEST, LIMITS)), 'token');
    assert.ok(members[0]!.calls.length < 20, 'it keeps asking');
  });

  it('stops waiting when the request is cancelled', async () => {
    make(1);
    members[0]!.failure = 'refused';
    const controller = new AbortController();
    const answer = failure(
      cluster.read('range', REQUEST, { ...LIMITS, signal: controller.signal }),
    );
    controller.abort();
    assert.equal(await answer, 'cancelled');
  });
});

describe('failures of calls', () => {
  it('are told apart by what etcd says', () => {
    const table: [number, string, CallFailure][] = [
      [11, 'etcdserver: mvcc: required revision has been compacted', 'compacted'],
      [11, 'etcdserver: mvcc: required revision is a future revision', 'future'],
      [8, 'etcdserver: mvcc: database space exceeded', 'noSpace'],
      [3, 'etcdserver: request is too large', 'tooLarge'],
      [8, 'grpc: received message larger than max (2098000 vs. 2097152)', 'tooLarge'],
      [16, 'etcdserver: invalid auth token', 'token'],
      [3, 'etcdserver: revision of auth store is old', 'token'],
      [3, 'etcdserver: user name is empty', 'token'],
      [3, 'etcdserver: authentication failed, invalid user ID or password', 'denied'],
      [7, 'etcdserver: permission denied', 'denied'],
      [14, 'etcdserver: no leader', 'refused'],
      [14, 'etcdserver: leader changed', 'lost'],
      [14, 'etcdserver: request timed out', 'lost'],
      [14, 'etcdserver: request timed out, possibly due to previous leader failure', 'lost'],
      [14, 'etcdserver: server stopped', 'lost'],
      [8, 'etcdserver: too many requests', 'refused'],
      [5, 'etcdserver: requested lease not found', 'leaseMissing'],
      [15, 'etcdserver: corrupt cluster', 'corrupt'],
      [4, 'context deadline exceeded', 'deadline'],
      [2, 'raft proposal dropped', 'lost'],
      [13, 'transport is closing', 'lost'],
      [12, 'unknown service', 'rejected'],
      [3, 'etcdserver: duplicate key given in txn request', 'rejected'],
      [Number.NaN, 'gRPC status NaN', 'lost'],
    ];
    for (const [code, details, expected] of table) {
      assert.equal(classifyFailure(code, details), expected, details);
    }
  });
});
