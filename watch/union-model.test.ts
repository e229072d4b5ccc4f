import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { apiError } from '../api/api-error.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import type { Revision } from '../api/revision.ts';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { eventFrame } from './frames.ts';
import { LATEST, Reader } from './reader.ts';
import { Replica } from './replica.ts';
import { CollectingSink, plainEncoder, storedObject } from './testing.ts';
import type { MemberRequest } from './union-member.ts';
import type { UnionStream } from './union-stream.ts';
import { Watcher } from './watcher.ts';

const KINDS = ['a', 'b', 'c'] as const;
type Kind = (typeof KINDS)[number];

function prefixOf(kind: Kind): string {
  return `${kind}.example.com/things/`;
}

/** A frame, as a client reads it. */
interface Frame {
  id: string;
  type: string;
  name: string;
  revision: bigint;
}

function framesOf({ text }: CollectingSink): Frame[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const {
        id = '',
        type,
        object,
      } = JSON.parse(line) as {
        id?: string;
        type: string;
        object?: { metadata?: { name?: string; resourceVersion?: string } };
      };
      const { name = '', resourceVersion = '0' } = object?.metadata ?? {};
      return { id, type, name, revision: BigInt(resourceVersion) };
    });
}

/** A part of a stream, as a test has asked for it. */
interface Followed {
  readonly id: string;
  readonly kind: Kind;
  readonly selector: boolean;
  /** Undefined: the state first. */
  readonly after: Revision | undefined;
  removed: boolean;
}

const name = fc.constantFrom('x', 'y', 'z');
const kind = fc.constantFrom(...KINDS);
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('put' as const), kind, name, on: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), kind, name }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('transaction' as const), on: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: fc.constant('add' as const), kind },
      ...{ back: fc.option(fc.nat(6)), selector: fc.boolean() },
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('trim' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('minute' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('foreign' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('room' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

class World {
  readonly store = new MemoryStore();
  readonly clock = new FakeClock();
  readonly sink = new CollectingSink();
  readonly replica = new Replica({
    ...{ store: this.store, clock: this.clock },
    limits: { minAgeMs: 0, maxAgeMs: 1, softBytes: 0, maxBytes: 2_000 },
  });
  readonly reader = new Reader(this.store, this.replica, this.clock);
  readonly watcher = new Watcher({
    ...{ store: this.store, replica: this.replica, clock: this.clock, random: () => 0.5 },
  });
  readonly followed: Followed[] = [];
  stream!: UnionStream;
  #count = 0;

  async start(slow: boolean): Promise<void> {
    await whileTimePasses(this.clock, this.replica.start());
    if (slow) this.sink.room = 1;
    this.open(undefined);
  }

  open(after: Revision | undefined): void {
    this.stream = this.watcher.union({
      ...{ after, timeoutMs: 1e9, sink: this.sink, onClose: () => undefined },
      bookmark: (revision) =>
        eventFrame(
          'BOOKMARK',
          Buffer.from(JSON.stringify({ metadata: { resourceVersion: String(revision) } })),
        ),
    });
  }

  async add(kind: Kind, after: Revision | undefined, selector: boolean): Promise<void> {
    const id = `${kind}${this.followed.length}`;
    this.followed.push({ id, kind, selector, after, removed: false });
    const prefix = prefixOf(kind);
    const start: MemberRequest['start'] =
      after === undefined
        ? {
            ...{ from: 'state', endBookmark: true },
            snapshot: await whileTimePasses(this.clock, this.reader.snapshot(prefix, LATEST)),
          }
        : { from: 'revision', revision: after };
    this.stream.add([
      {
        ...{ id, prefix, encoder: plainEncoder, start, onEnd: () => undefined },
        scope: { range: { start: '' }, matches: ({ labels }) => !selector || labels.on === 'yes' },
      },
    ]);
  }

  async run(action: Action): Promise<void> {
    const { store } = this;
    switch (action.do) {
      case 'put':
        return this.#put([[action.kind, action.name]], action.on);
      case 'delete': {
        const { item } = await store.get(prefixOf(action.kind) + action.name);
        if (item !== undefined) await store.delete(item.key, item.revision);
        return;
      }
      case 'transaction':
        return this.#put(
          KINDS.flatMap((each) => [[each, 'x'] as const, [each, 'y'] as const]),
          action.on,
        );
      case 'add': {
        const back = action.back === null ? undefined : BigInt(action.back);
        const { revision } = store;
        const after = back === undefined ? back : revision > back ? revision - back : 0n;
        return this.add(action.kind, after as Revision | undefined, action.selector);
      }
      case 'remove': {
        const [first] = this.followed.filter(({ removed }) => !removed);
        if (first === undefined) return;
        first.removed = true;
        assert.equal(this.stream.remove(first.id), true);
        return;
      }
      case 'settle':
        return settle();
      case 'trim':
        await this.clock.advance(10);
        this.replica.trimHistory();
        return;
      case 'minute':
        return this.clock.advance(60_000);
      case 'foreign':
        store.foreignWrite();
        return;
      case 'room':
        this.sink.room = 3;
        this.stream.resume();
        return;
    }
  }

  async #put(things: readonly (readonly [Kind, string])[], on: boolean): Promise<void> {
    const items = this.store.stateAt(this.store.revision);
    await this.store.batch(
      things.map(([kind, thing]) => {
        const key = prefixOf(kind) + thing;
        const value = storedObject(thing, on ? { on: 'yes' } : {}, this.#count++);
        const current = items.get(key);
        return current === undefined
          ? { op: 'create', key, value }
          : { op: 'update', key, value, expected: current.revision };
      }),
    );
  }

  /** Reads on until nothing comes any more. */
  async drain(): Promise<void> {
    await settle();
    for (let length = -1; length !== this.sink.text.length;) {
      length = this.sink.text.length;
      this.sink.room = 2;
      this.stream.resume();
      // a stream that has had no room for long reads the past again
      await this.clock.advance(1_000);
    }
  }

  async stop(): Promise<void> {
    await this.watcher.closeAll();
    await this.replica.stop();
  }

  /** What a part must have seen after a revision: the store's own history, through its selector. */
  truth({ id, kind, selector }: Followed, after: bigint): Frame[] {
    const seen: Frame[] = [];
    const matches = (value: Buffer): boolean =>
      !selector || (parseStoredJson(value) as never as Labelled).metadata.labels.on === 'yes';
    for (const event of this.store.log) {
      if (event.revision <= after || !event.key.startsWith(prefixOf(kind))) continue;
      const before = event.previous !== undefined && matches(event.previous.value);
      const now = event.type === 'put' && matches(event.value);
      if (!before && !now) continue;
      const type = !before ? 'ADDED' : now ? 'MODIFIED' : 'DELETED';
      const thing = event.key.slice(prefixOf(kind).length);
      seen.push({ id, type, name: thing, revision: event.revision });
    }
    return seen;
  }
}

interface Labelled {
  metadata: { labels: Record<string, string> };
}

/** The frames of a part: those before its own bookmark, that bookmark, and those after it. */
function partsOf(frames: readonly Frame[], id: string): [Frame[], Frame | undefined, Frame[]] {
  const own = frames.filter((frame) => frame.id === id && frame.type !== 'REMOVED');
  const at = own.findIndex(({ type }) => type === 'BOOKMARK');
  return at < 0 ? [own, undefined, []] : [own.slice(0, at), own[at], own.slice(at + 1)];
}

function check(world: World): void {
  const frames = framesOf(world.sink);
  for (const part of world.followed) {
    const [before, begun, after] = partsOf(frames, part.id);
    if (begun === undefined) {
      assert.ok(part.removed, `${part.id} has begun`);
      continue;
    }
    const expected = world.truth(part, begun.revision);
    // one that was removed has seen a part of it
    assert.deepEqual(after, part.removed ? expected.slice(0, after.length) : expected);
    const early =
      part.after === undefined
        ? world.truth(part, 0n).filter(({ revision }) => revision <= begun.revision)
        : world.truth(part, part.after).filter(({ revision }) => revision <= begun.revision);
    if (part.after !== undefined) assert.deepEqual(before, early, 'the backlog');
    else checkState(before, early);
  }
  checkOrder(frames);
}

/** A state of some moment, and what came after it. */
function checkState(seen: readonly Frame[], events: readonly Frame[]): void {
  const isRight = events.some((_, i) => {
    const state = stateAfter(events.slice(0, i + 1));
    return isDeepStrictEqual(seen, [...state, ...events.slice(i + 1)]);
  });
  assert.ok(isRight || isDeepStrictEqual(seen, events), 'the state, and what came after it');
}

/** What is there after some events, as the frames of a state show it. */
function stateAfter(events: readonly Frame[]): Frame[] {
  const objects = new Map<string, Frame>();
  for (const event of events) {
    if (event.type === 'DELETED') objects.delete(event.name);
    else objects.set(event.name, { ...event, type: 'ADDED' });
  }
  return [...objects.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Events come in the order of the log, and each bookmark after everything up to it. */
function checkOrder(frames: readonly Frame[]): void {
  const live = new Set<string>();
  let reached = 0n;
  let bookmarked = 0n;
  for (const { id, type, revision } of frames) {
    if (id === '') {
      assert.equal(type, 'BOOKMARK');
      assert.ok(revision >= reached, 'no bookmark goes back');
      bookmarked = revision;
    } else if (type === 'BOOKMARK') {
      live.add(id);
    } else if (live.has(id) && type !== 'REMOVED') {
      assert.ok(revision >= reached, `${revision} comes after ${reached}`);
      assert.ok(revision > bookmarked, 'no event comes after a bookmark that covers it');
      reached = revision;
    }
  }
}

describe('one stream over many collections against the model', () => {
  it('every part is the exact history in the order of the log, no transaction is broken', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 5, maxLength: 50 }),
        fc.boolean(),
        async (actions, slow) => {
          const world = new World();
          await world.start(slow);
          try {
            for (const each of actions) await world.run(each);
            await world.drain();
            check(world);
          } finally {
            await world.stop();
          }
        },
      ),
      { numRuns: Number(process.env.PLINTH_MODEL_RUNS ?? 100) },
    );
  }).timeout(120_000);

  it('nothing comes between the events of a transaction', async () => {
    const world = new World();
    await world.start(false);
    for (const each of KINDS) await world.add(each, 0n as Revision, false);
    await settle();
    await world.run({ do: 'transaction', on: true });
    await world.add('a', undefined, false);
    await world.run({ do: 'transaction', on: false });
    await world.drain();
    const revisions = framesOf(world.sink)
      .filter(({ id, type }) => id !== 'a3' && type !== 'BOOKMARK')
      .map(({ revision }) => revision);
    assert.deepEqual(revisions, [...Array<bigint>(6).fill(1n), ...Array<bigint>(6).fill(2n)]);
    check(world);
    await world.stop();
  });

  it('one revision resumes every part, without loss or repetition', async () => {
    const world = new World();
    await world.start(false);
    for (const each of KINDS) await world.add(each, undefined, false);
    await world.run({ do: 'transaction', on: true });
    await settle();
    await world.clock.advance(60_000);
    const bookmark = framesOf(world.sink).findLast(({ id }) => id === '');
    assert.equal(bookmark?.revision, 1n);
    world.stream.close();
    await world.run({ do: 'transaction', on: false });
    const after = bookmark.revision as Revision;
    world.sink.text = '';
    world.open(after);
    world.followed.length = 0;
    for (const each of KINDS) await world.add(each, after, false);
    await world.drain();
    check(world);
    const events = framesOf(world.sink).filter(({ type }) => type !== 'BOOKMARK');
    assert.deepEqual(new Set(events.map(({ revision }) => revision)), new Set([2n]));
    assert.equal(events.length, 6);
    await world.stop();
  });

  it('a part that ends alone gets an ERROR frame and no event after it', async () => {
    const world = new World();
    await world.start(false);
    for (const each of KINDS) await world.add(each, undefined, false);
    await settle();
    world.stream.end('b1', apiError(403, 'Forbidden', 'no more'));
    await world.run({ do: 'transaction', on: true });
    await world.drain();
    const frames = framesOf(world.sink).filter(({ type }) => type !== 'BOOKMARK');
    assert.equal(frames[0]?.id, 'b1');
    assert.equal(frames[0].type, 'ERROR');
    assert.deepEqual(new Set(frames.slice(1).map(({ id }) => id)), new Set(['a0', 'c2']));
    assert.equal(world.stream.size, 2);
    await world.stop();
  });
});
