import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FakeClock } from '../test/support/fake-clock.ts';
import { BudgetedSink, LARGE_FRAME_BYTES, SLICE_BYTES, type Wire } from './budgeted-sink.ts';
import { UNSENT_PATIENCE_MS, UnsentBudget } from './unsent-budget.ts';

/** A connection whose client takes what it holds when a test says so. */
class TestWire implements Wire {
  readonly bytes: Buffer[] = [];
  readonly #unsent: (() => void)[] = [];
  state: 'open' | 'ended' | 'destroyed' = 'open';
  onDrain = (): void => undefined;

  write(bytes: Buffer, onSent = (): void => undefined): boolean {
    this.bytes.push(bytes);
    this.#unsent.push(onSent);
    return false;
  }

  end(): void {
    this.state = 'ended';
  }

  destroy(): void {
    this.state = 'destroyed';
  }

  take(): void {
    while (this.#unsent.length > 0) {
      this.onDrain();
      this.#unsent.shift()?.();
    }
  }

  get text(): string {
    return Buffer.concat(this.bytes).toString();
  }

  get size(): number {
    return this.bytes.reduce((sum, { length }) => sum + length, 0);
  }
}

describe('streams of large frames', () => {
  const clock = new FakeClock();
  let budget: UnsentBudget;
  beforeEach(() => {
    budget = new UnsentBudget({ perUser: 4 * SLICE_BYTES, total: 12 * SLICE_BYTES, clock });
  });
  const FRAME = Buffer.alloc(10 * SLICE_BYTES + 5, 'a');

  function open(user: string): { wire: TestWire; sink: BudgetedSink } {
    const wire = new TestWire();
    const sink = new BudgetedSink(wire, user, budget, clock);
    wire.onDrain = () => sink.drained();
    return { wire, sink };
  }

  it('small frames go straight to the connection and are not counted', () => {
    const { wire, sink } = open('a');
    sink.write(Buffer.alloc(LARGE_FRAME_BYTES - 1));
    assert.equal(wire.size, LARGE_FRAME_BYTES - 1);
    assert.equal(budget.held, 0);
  });

  it('a large frame is written in slices without a copy, complete and in order', () => {
    const { wire, sink } = open('a');
    let room = 0;
    sink.onRoom = () => room++;
    assert.equal(sink.write(FRAME), false);
    assert.equal(wire.size, SLICE_BYTES);
    assert.equal(wire.bytes[0]?.buffer, FRAME.buffer);
    // An error that ends the stream comes behind the frame.
    sink.write(Buffer.from('end'));
    wire.take();
    assert.equal(wire.text, `${FRAME.toString()}end`);
    assert.equal(room, 1);
    assert.equal(budget.held, 0);
    sink.end();
    assert.equal(wire.state, 'ended');
  });

  it('an end waits for what was written before', () => {
    const { wire, sink } = open('a');
    sink.write(FRAME);
    sink.end();
    assert.equal(wire.state, 'open');
    wire.take();
    assert.equal(wire.state, 'ended');
    assert.equal(wire.size, FRAME.length);
  });

  it('a stream that has ended is cut off when its client does not take its last frame', async () => {
    const { wire, sink } = open('a');
    sink.write(FRAME);
    sink.end();
    await clock.advance(UNSENT_PATIENCE_MS + 1);
    assert.equal(wire.state, 'destroyed');
  });

  it('a user beyond its share waits, other users do not', async () => {
    const silent = Array.from({ length: 3 }, () => open('a'));
    for (const { sink } of silent) sink.write(FRAME);
    const readers = [open('a'), open('a')];
    for (const { sink } of readers) sink.write(FRAME);
    assert.deepEqual(
      readers.map(({ wire }) => wire.size),
      [SLICE_BYTES, 0],
    );
    const other = open('b');
    other.sink.write(FRAME);
    other.wire.take();
    assert.equal(other.wire.size, FRAME.length);
    for (let i = 0; i < 30; i++) {
      for (const { wire } of readers) wire.take();
      await nextTurn();
    }
    for (const { wire } of readers) assert.equal(wire.size, FRAME.length);
    for (const { wire } of silent) assert.equal(wire.size, SLICE_BYTES);
    assert.equal(budget.held, 3 * SLICE_BYTES);
    for (const { sink } of silent) sink.closed();
    assert.equal(budget.held, 0);
  });

  it('clients that have not read for the limit are disconnected when others wait, no more than necessary', async () => {
    const silent = Array.from({ length: 4 }, () => open('a'));
    for (const { sink } of silent) sink.write(FRAME);
    await clock.advance(10 * UNSENT_PATIENCE_MS);
    for (const { wire } of silent) assert.equal(wire.state, 'open');
    const late = open('a');
    late.sink.write(FRAME);
    assert.equal(late.wire.size, 0);
    await clock.advance(2_000);
    assert.equal(budget.cutOff, 1);
    assert.equal(late.wire.size, SLICE_BYTES);
    assert.equal(late.wire.state, 'open');
    late.wire.take();
    assert.equal(late.wire.size, FRAME.length);
    assert.equal(budget.waiting, 0);
  });

  it('frames that streams are in the middle of are bounded; a shared one counts once', async () => {
    const shared = Array.from({ length: 3 }, (_, i) => open(`same ${i}`));
    for (const { sink } of shared) sink.write(FRAME);
    await clock.advance(2 * UNSENT_PATIENCE_MS);
    assert.equal(budget.cutOff, 0);
    open('other').sink.write(Buffer.from(FRAME));
    await clock.advance(2_000);
    assert.equal(budget.cutOff, 3);
  });
});
