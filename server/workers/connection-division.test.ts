import assert from 'node:assert/strict';
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { ConnectionDivision } from './connection-division.ts';

const LONG_MS = 1_000;

/** A process as the cluster module uses it. */
class Child extends EventEmitter {
  readonly got: number[] = [];

  send({ seq }: { seq: number }): boolean {
    this.got.push(seq);
    return true;
  }
}

class Cluster {
  readonly clock = new FakeClock();
  readonly division = new ConnectionDivision(this.clock);
  readonly children: Child[] = [];
  readonly workers: Worker[] = [];
  /** Numbers of connections that the cluster module was told to let go of. */
  readonly released: number[] = [];
  #seq = 0;

  constructor(count: number) {
    for (let i = 0; i < count; i++) this.add();
  }

  /** Another one, which has got and taken one connection that has ended by now. */
  add(): void {
    const child = new Child();
    const worker = Object.assign(new EventEmitter(), { process: child }) as unknown as Worker;
    this.children.push(child);
    this.workers.push(worker);
    child.on('internalMessage', ({ ack }: { ack: number }) => this.released.push(ack));
    this.division.join(worker);
    this.answer(this.children.length - 1, this.hand(this.children.length - 1));
    this.close(this.children.length - 1);
    child.got.length = 0;
    this.released.length = 0;
  }

  /** The cluster module hands a connection to a worker; its number. */
  hand(meantFor: number): number {
    const seq = this.#seq++;
    const message = { cmd: 'NODE_CLUSTER', act: 'newconn', seq };
    this.children[meantFor]!.send(message);
    return seq;
  }

  answer(worker: number, ack: number, accepted = true): void {
    this.children[worker]!.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted });
  }

  /** The one that got it accepts it at once. */
  take(meantFor: number): void {
    const seq = this.hand(meantFor);
    const taker = this.children.findIndex(({ got }) => got.includes(seq));
    this.answer(taker, seq);
  }

  close(worker: number, count = 1): void {
    this.division.closed(this.workers[worker]!, count);
  }

  exit(worker: number): void {
    this.workers[worker]!.emit('exit');
  }

  get got(): number[][] {
    return this.children.map(({ got }) => got);
  }

  get counts(): number[] {
    return this.got.map(({ length }) => length);
  }
}

describe('the division of connections among workers', () => {
  it('gives each to the worker with the fewest, whichever the cluster module has chosen', () => {
    const cluster = new Cluster(3);
    for (let i = 0; i < 30; i++) cluster.take(0);
    assert.deepEqual(cluster.counts, [10, 10, 10]);
    cluster.close(1, 6);
    for (let i = 0; i < 6; i++) cluster.take(0);
    assert.deepEqual(cluster.counts, [10, 16, 10]);
  });

  it('keeps to the choice of the cluster module among workers with as many', () => {
    const cluster = new Cluster(2);
    for (const worker of [1, 0, 0, 1, 1, 0]) {
      const seq = cluster.hand(worker);
      assert.equal(cluster.got[worker]!.at(-1), seq);
      cluster.answer(worker, seq);
      cluster.close(worker);
    }
  });

  it('waits a moment for the worker with the fewest when that has not answered yet', async () => {
    const cluster = new Cluster(2);
    cluster.take(0);
    const first = cluster.hand(1);
    cluster.take(0);
    const second = cluster.hand(0);
    assert.deepEqual(cluster.counts, [2, 1]);
    cluster.answer(1, first);
    assert.deepEqual(cluster.got[1], [first, second]);
    await cluster.clock.advance(LONG_MS);
    assert.deepEqual(cluster.counts, [2, 2], 'once');
  });

  it('gives a worker that does not answer one connection, and the others all that follow', async () => {
    const cluster = new Cluster(3);
    const stuck = cluster.hand(2);
    for (let i = 0; i < 2; i++) cluster.take(i);
    for (let i = 0; i < 5; i++) {
      const seq = cluster.hand(0);
      await cluster.clock.advance(LONG_MS);
      const taker = cluster.got.findIndex((got) => got.includes(seq));
      assert.notEqual(taker, 2);
      cluster.answer(taker, seq);
    }
    assert.deepEqual(cluster.got[2], [stuck]);
    cluster.answer(2, stuck);
    for (let i = 0; i < 5; i++) cluster.take(0);
    assert.deepEqual(cluster.counts.sort(), [4, 4, 5]);
  });

  it('gives a worker that refuses none but those that the cluster module means for it', () => {
    const cluster = new Cluster(2);
    for (let i = 0; i < 3; i++) cluster.take(0);
    const refused = cluster.hand(1);
    cluster.answer(1, refused, false);
    const before = cluster.counts[1];
    for (let i = 0; i < 4; i++) cluster.take(0);
    assert.equal(cluster.counts[1], before);
    cluster.take(1);
    for (let i = 0; i < 3; i++) cluster.take(0);
    assert.equal(cluster.counts[1], before! + 4);
  });

  it('lets go of what was on its way to a worker that ended; what waited for it goes to others', () => {
    const cluster = new Cluster(2);
    cluster.take(0);
    cluster.take(0);
    cluster.take(0);
    const lost = cluster.hand(1);
    const waiting = cluster.hand(0);
    cluster.released.length = 0;
    cluster.exit(1);
    assert.deepEqual(cluster.released, [lost]);
    assert.equal(cluster.got[0]!.at(-1), waiting);
    cluster.answer(0, waiting);
    cluster.add();
    const before = cluster.counts[0]!;
    for (let i = 0; i < before; i++) cluster.take(0);
    assert.deepEqual(cluster.counts, [before, cluster.counts[1], before]);
  });

  it('lets go of a connection that no worker is left for', () => {
    const cluster = new Cluster(1);
    cluster.exit(0);
    const seq = cluster.hand(0);
    assert.deepEqual(cluster.released, [seq]);
  });
});
