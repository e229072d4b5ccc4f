import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Tenant, type Place } from './slab.ts';
import { SLAB_BYTES, Slabs } from './slabs.ts';

const SIZE = 256;
const LARGEST = SIZE / 8;

class Piece extends Tenant {
  readonly content: Buffer;
  /** How often it has moved since its bytes were first read. */
  moves = 0;

  constructor(place: Place, bytes: Buffer) {
    super(place);
    this.content = Buffer.from(bytes);
  }

  protected override moved(before: Buffer): void {
    assert.notEqual(this.bytes.buffer, before.buffer, 'it has another slab');
    this.moves++;
  }
}

let written = 0;

/** A piece whose bytes are like no other's, read already or never. */
function pieceOf(slabs: Slabs, length: number, isRead = true): Piece {
  const slab = slabs.find(length);
  const start = slab?.reserve(length) ?? 0;
  const bytes = slab?.view(start, length) ?? Buffer.alloc(length);
  for (let i = 0; i < length; i++) bytes[i] = (written = (written * 31 + 7) % 65_521) & 0xff;
  const piece = new Piece(slab === undefined ? { bytes } : { slab, start, length }, bytes);
  if (isRead) assert.ok(piece.bytes.equals(bytes));
  return piece;
}

const length = fc.nat(LARGEST + 4);
const isRead = fc.boolean();
const operation = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('add' as const), length, isRead }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('drop' as const), at: fc.nat() }) },
  // so many of eight stay: what remains is spread over all slabs
  { weight: 1, arbitrary: fc.record({ do: fc.constant('thin' as const), to: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hold' as const), at: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('view' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const) }) },
  // made in one order and held in another, or never, as entries of the past are
  { weight: 2, arbitrary: fc.record({ do: fc.constant('late' as const), length }) },
);

describe('slabs', () => {
  it('keep the bytes of what is held and of every view, in bounded memory, under any operations', () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 50, maxLength: 400 }), (operations) => {
        const slabs = new Slabs(SIZE);
        // a piece stands here as often as it is held
        const held: Piece[] = [];
        const views: { view: Buffer; content: Buffer }[] = [];
        const late: Piece[] = [];
        const unread = new Set<Piece>();
        const release = (at: number): void => {
          const [piece] = held.splice(at % held.length, 1);
          if (piece === undefined) return;
          piece.release();
          assert.ok(piece.bytes.equals(piece.content), 'also after its release');
          unread.delete(piece);
        };
        for (const o of operations) {
          if (o.do === 'add') {
            const piece = pieceOf(slabs, o.length, o.isRead);
            if (!o.isRead) unread.add(piece);
            piece.hold();
            held.push(piece);
          } else if (o.do === 'late') {
            late.push(pieceOf(slabs, o.length));
            const piece = late.length > 3 ? late.shift() : undefined;
            if (piece !== undefined && o.length % 2 === 0) {
              piece.hold();
              held.push(piece);
            }
          } else if (o.do === 'thin') {
            for (let i = held.length - 1; i >= 0; i--) if (i % 8 >= o.to) release(i);
          } else if (o.do !== 'compact' && held.length > 0) {
            const piece = held[o.at % held.length]!;
            if (o.do === 'drop') release(o.at);
            else if (o.do === 'view') {
              views.push({ view: piece.bytes, content: piece.content });
              unread.delete(piece);
            } else {
              piece.hold();
              held.push(piece);
            }
          }
          if (o.do !== 'compact') continue;
          slabs.compact();
          const shared = [...new Set(held)].filter(({ byteLength }) => byteLength <= LARGEST);
          const bytes = shared.reduce((sum, piece) => sum + piece.byteLength, 0);
          const bound = bytes / 0.75 + 2 * SIZE;
          assert.ok(slabs.bytes <= bound, `${bytes} bytes take ${slabs.bytes}`);
          const read = shared.filter((piece) => !unread.has(piece));
          const alive = new Set(read.map((piece) => piece.bytes.buffer)).size;
          assert.ok(alive * SIZE <= slabs.bytes, `${alive} slabs are kept alive`);
        }
        for (const piece of held) assert.ok(piece.bytes.equals(piece.content));
        for (const { view, content } of views) assert.ok(view.equals(content));
      }),
      { numRuns: 500 },
    );
  });

  it('let what is long-lived rest: it moves once, however much comes and goes', () => {
    const slabs = new Slabs(SIZE);
    const lasting: Piece[] = [];
    for (let i = 0; i < 20_000; i++) {
      const piece = pieceOf(slabs, 8);
      piece.hold();
      if (i % 500 === 0) lasting.push(piece);
      else piece.release();
      if (i % 10 === 0) slabs.compact();
    }
    for (const { moves } of lasting) assert.ok(moves <= 1, `${moves} moves`);
  });

  for (const { of, length, rest } of [
    { of: 'bytes', length: 25_000, rest: 0.4 },
    { of: 'values', length: 500, rest: 0.4 },
  ]) {
    it(`are compacted in rounds with a bounded number of ${of}, until no more than a third is unused`, () => {
      const slabs = new Slabs();
      const pieces = Array.from({ length: Math.ceil(40_000_000 / length) }, () => {
        const piece = pieceOf(slabs, length);
        piece.hold();
        return piece;
      });
      const left = pieces.filter((_, i) => (i % 10) / 10 < rest);
      for (const [i, piece] of pieces.entries()) if ((i % 10) / 10 >= rest) piece.release();
      const moved = (): number => left.reduce((sum, { moves }) => sum + moves, 0);
      const most = Math.min((8 * 1024 * 1024) / length, 8_000) + SLAB_BYTES / length;
      let rounds = 0;
      for (let before = -1, after = 0; after !== before; after = moved()) {
        before = after;
        slabs.compact();
        assert.ok(moved() - before <= most, `one round moved ${moved() - before}`);
        rounds++;
      }
      assert.ok(rounds > 2, 'it took several rounds');
      const bytes = left.length * length;
      assert.ok(slabs.bytes <= bytes / 0.75 + 2 * SLAB_BYTES, `${bytes} bytes take ${slabs.bytes}`);
      for (const piece of left) assert.ok(piece.bytes.equals(piece.content));
    });
  }

  it('are not shared by what is large', () => {
    const slabs = new Slabs(SIZE);
    assert.equal(slabs.find(LARGEST + 1), undefined);
    assert.equal(slabs.bytes, 0);
  });
});
