import assert from 'node:assert/strict';
import fc from 'fast-check';
import { revisionOf, NO_REVISION, type Revision } from '../../api/revision.ts';
import { settle } from '../../test/support/fake-clock.ts';
import { Collection } from '../collection.ts';
import { EntryMemory } from '../entry-memory.ts';
import type { Entry } from '../entry.ts';
import { narrowed } from '../narrowed.ts';
import type { OrderedMap } from '../ordered-map.ts';
import { MemorySnapshot, type KeyRange } from '../snapshot.ts';
import { storedObject } from '../testing.ts';
import { labelSource, MAX_INDEXED_CHARACTERS, type IndexSource, type IndexTerm } from './term.ts';

/** The number of an object as text: some have none, some cannot be read, some are too long. */
const NUMBER: IndexSource = {
  id: 'number',
  read(entry) {
    const n = entry.object().n as number;
    if (n % 7 === 6) throw new Error('it cannot be read');
    if (n % 5 === 4) return undefined;
    return n % 7 === 5 ? 'x'.repeat(MAX_INDEXED_CHARACTERS + 1) : String(n % 3);
  },
  isCostly: true,
  asksBefore: 2,
};

function valueOf(source: IndexSource, entry: Entry): string | undefined {
  try {
    return source.read(entry);
  } catch {
    return '0';
  }
}

function holds({ source, values }: Asked, entry: Entry): boolean {
  const value = valueOf(source, entry);
  return value !== undefined && (values === undefined || values.includes(value));
}

type Asked = Pick<IndexTerm, 'source' | 'values'>;

const value = fc.constantFrom('0', '1', '2');
const values = fc.option(fc.array(value, { minLength: 1, maxLength: 3 }), { nil: undefined });
const asked: fc.Arbitrary<Asked> = fc.record({
  source: fc.constantFrom(labelSource('a'), labelSource('b'), NUMBER),
  values,
});
const key = fc
  .tuple(fc.constantFrom('n', 'm'), fc.integer({ min: 0, max: 11 }))
  .map(([namespace, n]) => `${namespace}/${n}`);
const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      key,
      a: fc.option(value, { nil: undefined }),
      b: fc.option(value, { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      terms: fc.array(asked, { minLength: 1, maxLength: 3 }),
      back: fc.nat(12),
      // a page of a list that began some reads ago
      page: fc.option(fc.nat(4), { nil: undefined }),
      range: fc.constantFrom<KeyRange>(
        { start: '' },
        { start: 'n/', end: 'n0' },
        { start: 'm/5', end: 'n/3' },
      ),
      // what happens while the read goes on
      meanwhile: fc.array(key, { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('second' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('trim' as const), keep: fc.nat(10) }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

interface State {
  readonly revision: Revision;
  readonly state: OrderedMap<Entry>;
}

class World {
  readonly memory = new EntryMemory(1_500, { minObjects: 0 });
  readonly collection = new Collection('things.example.com/things/', NO_REVISION, this.memory);
  readonly #states: State[] = [];
  revision = 0n;
  /** Reads that an index has answered. */
  answered = 0;

  #next(): Revision {
    return revisionOf(++this.revision);
  }

  put(name: string, labels: Record<string, string> = {}): void {
    const revision = this.#next();
    this.collection.put(name, storedObject(name, labels, Number(revision)), revision, 0);
  }

  async run(act: Action): Promise<void> {
    const { collection } = this;
    switch (act.do) {
      case 'put': {
        const { a, b } = act;
        this.put(act.key, {
          ...(a === undefined ? {} : { a }),
          ...(b === undefined ? {} : { b }),
        });
        return;
      }
      case 'delete':
        if (collection.items.get(act.key) !== undefined) {
          collection.remove(act.key, this.#next(), 0);
        }
        return;
      case 'read':
        return this.#read(act);
      case 'second':
        this.memory.indexes.tick();
        return;
      case 'settle':
        return settle();
      case 'trim':
        collection.history.trim(({ revision }) => revision <= this.revision - BigInt(act.keep));
        return;
    }
  }

  #stateOf({ back, page }: Action & { do: 'read' }): State {
    const { items, history } = this.collection;
    const known = page === undefined ? undefined : this.#states.at(-1 - page);
    if (known !== undefined) return known;
    let at = this.revision;
    for (let i = 0; i < back && at > history.floor; i++) at--;
    const revision = revisionOf(at);
    const state = at === this.revision ? items.snapshot() : this.collection.itemsAt(revision);
    this.#states.push({ revision, state });
    return { revision, state };
  }

  async #read(act: Action & { do: 'read' }): Promise<void> {
    const { terms, range, meanwhile } = act;
    const { revision, state } = this.#stateOf(act);
    const snapshot = new WatchedSnapshot(revision, state, this.collection.indexes);
    const matches = (entry: Entry): boolean => terms.every((term) => holds(term, entry));
    const scope = {
      matches,
      terms: terms.map((term) => ({
        ...term,
        matches,
        // it may rely on the term, as selections do
        rest: (entry: Entry) => {
          assert.ok(holds(term, entry), 'it is asked of objects that meet the term');
          return terms.every((other) => other === term || holds(other, entry));
        },
      })),
    };
    const found = narrowed(snapshot, range, scope);
    for (const name of meanwhile) this.put(name, { a: '1' });
    const { chunks, matches: left } = await found;
    if (!snapshot.isLookedThrough) this.answered++;
    const shown: string[] = [];
    for await (const entries of chunks) {
      for (const entry of entries) if (left(entry)) shown.push(nameOf(entry));
      this.put('n/new', { a: '0' });
    }
    const truth = [...state.range(range.start, range.end)].filter(matches).map(nameOf);
    assert.deepEqual(shown, truth);
  }
}

/** Tells whether it was looked through. */
class WatchedSnapshot extends MemorySnapshot {
  isLookedThrough = false;

  override chunks(range: KeyRange, size?: number): AsyncIterable<Entry[]> {
    this.isLookedThrough = true;
    return super.chunks(range, size);
  }
}

function nameOf(entry: Entry): string {
  return `${entry.key}@${entry.revision}`;
}

describe('indexes, compared with a full scan', () => {
  it('give the same result at every revision under concurrent changes (property)', async () => {
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
    assert.ok(answered > 300, `${answered} reads were answered by an index`);
  }).timeout(60_000);
});
