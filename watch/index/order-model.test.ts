import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NO_REVISION, revisionOf, type Revision } from '../../api/revision.ts';
import { settle } from '../../test/support/fake-clock.ts';
import { Collection } from '../collection.ts';
import type { Entry } from '../entry.ts';
import { EntryMemory } from '../entry-memory.ts';
import type { OrderedMap } from '../ordered-map.ts';
import { storedObject } from '../testing.ts';
import { isWithin, type KeyRange } from './candidates.ts';
import type { Order, Placed } from './order-index.ts';

interface Numbered extends Placed {
  readonly n: number;
}

/** By a number that many share, then by the key. */
const ORDER: Order<Numbered> = {
  id: 'order',
  asksBefore: 1,
  place: (entry) => ({ entry, n: (entry.object().n as number) % 5 }),
  compare: (a, b) =>
    b.n - a.n || (a.entry.key < b.entry.key ? -1 : Number(a.entry.key > b.entry.key)),
};

const key = fc.tuple(fc.constantFrom('m', 'n'), fc.nat(9)).map(([of, n]) => `${of}/${n}`);
const action = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('put' as const), key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('page' as const),
      back: fc.nat(8),
      limit: fc.integer({ min: 1, max: 8 }),
      // where in the order the page begins
      skip: fc.nat(12),
      range: fc.constantFrom<KeyRange>({ start: '' }, { start: 'm/2' }),
      meanwhile: fc.array(key, { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('second' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('trim' as const), keep: fc.nat(6) }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

class World {
  readonly memory = new EntryMemory(1_500, { minObjects: 0 });
  readonly collection = new Collection('things.example.com/things/', NO_REVISION, this.memory);
  revision = 0n;
  answered = 0;

  #next(): Revision {
    return revisionOf(++this.revision);
  }

  #put(name: string): void {
    const revision = this.#next();
    this.collection.put(name, storedObject(name, {}, Number(revision)), revision, 0);
  }

  async run(act: Action): Promise<void> {
    const { collection, memory } = this;
    switch (act.do) {
      case 'put':
        this.#put(act.key);
        return;
      case 'delete':
        if (collection.items.get(act.key) !== undefined) {
          collection.remove(act.key, this.#next(), 0);
        }
        return;
      case 'page':
        await this.#page(act);
        return;
      case 'second':
        memory.indexes.tick();
        return;
      case 'settle':
        await settle();
        return;
      case 'trim':
        collection.history.trim(({ revision }) => revision <= this.revision - BigInt(act.keep));
    }
  }

  #stateAt(back: number): { revision: Revision; items: OrderedMap<Entry> } {
    const { items, history } = this.collection;
    let at = this.revision;
    for (let i = 0; i < back && at > history.floor; i++) at--;
    const revision = revisionOf(at);
    const isPresent = at === this.revision;
    return { revision, items: isPresent ? items.snapshot() : this.collection.itemsAt(revision) };
  }

  async #page({ back, limit, skip, range, meanwhile }: Action & { do: 'page' }): Promise<void> {
    const state = this.#stateAt(back);
    const all = [...state.items.range('')]
      .filter((entry) => isWithin(entry.key, range))
      .map((entry) => ORDER.place(entry))
      .sort((a, b) => ORDER.compare(a, b));
    const before = Math.min(skip, all.length);
    const asked = { order: ORDER, limit, after: all[before - 1] };
    const found = this.collection.indexes.inOrder(state, range, asked);
    for (const name of meanwhile) this.#put(name);
    const part = await found;
    if (part === undefined) return;
    this.answered++;
    const expected = all.slice(before, before + limit).map(({ entry }) => entry);
    assert.deepEqual(part.items.map(nameOf), expected.map(nameOf));
    assert.equal(part.remaining, all.length - before - expected.length);
  }
}

function nameOf(entry: Entry): string {
  return `${entry.key}@${entry.revision}`;
}

describe('indexes of orders, compared with a full sort', () => {
  it('give the same pages at every revision under concurrent changes (property)', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 80 }), async (actions) => {
        const world = new World();
        for (const act of actions) await world.run(act);
        await settle();
        answered += world.answered;
      }),
      { numRuns: 500 },
    );
    assert.ok(answered > 500, `${answered} pages came from an index`);
  }).timeout(60_000);
});
