import assert from 'node:assert/strict';
import { systemClock } from '../api/clock.ts';
import { lengthOfList, listAtOnce, listPieces } from './list-pieces.ts';
import { SLAB_BYTES } from '../http/slab-pool.ts';
import type { SlabWriter } from './slab-writer.ts';

const ENVELOPE = { open: '[', separator: ',', close: ']', empty: '[]' };

/** Chunks of items that are at hand at once, as those of a replica are. */
// oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
async function* chunksOf(count: number): AsyncGenerator<number[], void> {
  for (let at = 0; at < count; at += 500) {
    yield Array.from({ length: Math.min(500, count - at) }, (_, i) => at + i);
  }
}

async function text(pieces: AsyncIterable<Buffer>): Promise<string> {
  let all = '';
  for await (const piece of pieces) all += piece.toString();
  return all;
}

describe('listPieces', () => {
  it('writes every item once, whether it takes time or not', async () => {
    for (const count of [0, 1, 499, 500, 501, 1200]) {
      const pieces = listPieces(
        {
          chunks: chunksOf(count),
          write(slabs, i) {
            if (i % 7 !== 0) {
              slabs.text(String(i));
              return undefined;
            }
            return Promise.resolve().then(() => slabs.text(String(i)));
          },
        },
        ENVELOPE,
        systemClock,
      );
      const expected = Array.from({ length: count }, (_, i) => i);
      assert.deepEqual(JSON.parse(await text(pieces)), expected);
    }
  });

  it('writes items that are at hand like the others, and tells their length', async () => {
    for (const count of [0, 1, 2, 499, 500, 501, 1200]) {
      for (const prefix of ['', '{"kind":"Gadget",']) {
        const bytesOf = (i: number): Buffer =>
          Buffer.from(
            `${prefix || '{'}"text":"${String(i).repeat(i === 400 ? 90_000 : i % 500)}"}`,
          );
        const atHand = {
          prefix: Buffer.from(prefix),
          // each third chunk has an object whose bytes have to be made
          bytesOf: (items: readonly number[]) =>
            items.includes(700) ? undefined : items.map(bytesOf),
        };
        const source = {
          chunks: chunksOf(count),
          write(slabs: SlabWriter, i: number): void {
            if (prefix !== '') slabs.text('{');
            slabs.bytes(bytesOf(i), prefix.length);
          },
        };
        const expected = await text(listPieces(source, ENVELOPE, systemClock));
        const made = { ...source, chunks: chunksOf(count), atHand };
        const shown = await text(listPieces(made, ENVELOPE, systemClock));
        assert.ok(shown === expected, `${count} items behind ${prefix}`);
        const all = Array.from({ length: count }, (_, i) => bytesOf(i));
        const length = lengthOfList(all, ENVELOPE, atHand);
        assert.equal(length, expected.length);
        if (length < SLAB_BYTES) {
          assert.equal(listAtOnce(all, ENVELOPE, atHand, length).toString(), expected);
        }
        assert.equal((JSON.parse(expected) as unknown[]).length, count);
      }
    }
  });

  it('never holds the event loop for more than a few milliseconds', async () => {
    // Each item takes 50 µs of this clock.
    let now = 0;
    let longest = 0;
    let turnBegan = 0;
    let isDone = false;
    const beginTurn = (): void => {
      longest = Math.max(longest, now - turnBegan);
      turnBegan = now;
      if (!isDone) setImmediate(beginTurn);
    };
    setImmediate(beginTurn);
    const pieces = listPieces(
      { chunks: chunksOf(100_000), write: () => void (now += 0.05) },
      ENVELOPE,
      { ...systemClock, monotonic: () => now },
    );
    await text(pieces);
    isDone = true;
    assert.ok(now > 4_000);
    assert.ok(longest < 5, String(longest));
  });

  it('releases its source when the rest is not read', async () => {
    let isReleased = false;
    async function* endless(): AsyncGenerator<number[], void> {
      try {
        for (;;) yield await Promise.resolve([1]);
      } finally {
        isReleased = true;
      }
    }
    const source = {
      chunks: endless(),
      write: (slabs: { text(t: string): void }) => slabs.text('x'.repeat(1000)),
    };
    const pieces = listPieces(source, ENVELOPE, systemClock);
    await pieces.next();
    await pieces.return();
    assert.equal(isReleased, true);
  });

  it('reports errors of its source', async () => {
    const failing = {
      chunks: chunksOf(10),
      write: (): void => {
        throw new Error('broken object');
      },
    };
    await assert.rejects(text(listPieces(failing, ENVELOPE, systemClock)), /broken object/);
  });
});
