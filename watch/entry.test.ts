import assert from 'node:assert/strict';
import { revisionOf } from '../api/revision.ts';
import { assertTextsGo } from '../test/support/kept-texts.ts';
import { Entry } from './entry.ts';
import { EntryMemory } from './entry-memory.ts';
import { storedObject } from './testing.ts';

const SLAB_BYTES = 2_000;

describe('an entry in a slab', () => {
  /** Entries that fill some slabs. */
  function entriesIn(memory: EntryMemory): Entry[] {
    return Array.from({ length: 60 }, (_, i) => {
      const value = storedObject(`thing-${i}`, { app: 'x' }, i);
      const entry = Entry.fromStored(`thing-${i}`, value, revisionOf(BigInt(i + 100)), memory);
      entry.hold();
      return entry;
    });
  }

  it('stays the same when its bytes move, and so do views of the old bytes', () => {
    const memory = new EntryMemory(SLAB_BYTES);
    const entries = entriesIn(memory);
    const kept = entries.filter((_, i) => i % 8 === 0);
    const texts = kept.map(({ bytes }) => bytes.toString());
    const views = kept.map(({ bytes }) => bytes);
    for (const entry of entries) if (!kept.includes(entry)) entry.release();
    memory.slabs.compact();
    for (const [i, entry] of kept.entries()) {
      assert.equal(entry.bytes.toString(), texts[i]);
      assert.equal(views[i]?.toString(), texts[i]);
      const deleted = entry.deletedAt(revisionOf(7n), memory).object();
      assert.deepEqual(deleted, {
        ...entry.object(),
        metadata: { ...(entry.object().metadata as object), resourceVersion: '7' },
      });
    }
    assert.ok(
      kept.some(({ bytes }, i) => bytes !== views[i]),
      'some have moved',
    );
  });

  it('shares labels with those that have equal ones', () => {
    const memory = new EntryMemory(SLAB_BYTES);
    const of = (name: string, labels: Record<string, string>): Entry =>
      Entry.fromStored(name, storedObject(name, labels), revisionOf(5n), memory);
    const first = of('a', { app: 'web', tier: 'front' });
    assert.equal(of('b', { app: 'web', tier: 'front' }).labels, first.labels);
    assert.deepEqual(of('c', { app: 'web', tier: 'back' }).labels, { app: 'web', tier: 'back' });
    for (let i = 0; i < 10_000; i++) assert.deepEqual(memory.labels({ i: `${i}` }), { i: `${i}` });
    assert.deepEqual(of('d', { app: 'web', tier: 'front' }).labels, first.labels);
  });

  it('has a copy of labels, which keeps nothing else of a request alive', () => {
    const memory = new EntryMemory(SLAB_BYTES);
    const given = { app: 'web' };
    const kept = memory.labels(given);
    given.app = 'other';
    assert.deepEqual(kept, { app: 'web' });
    // longer than what is remembered, too
    const all = [1, 2_000].map((length) => 'x'.repeat(length));
    for (const [n, more] of all.entries()) {
      const held: unknown[] = [];
      assertTextsGo(
        (i) => `of-a-long-body-${n}-${i}`,
        (value) => held.push(memory.labels({ value, more })),
      );
    }
  });

  it('takes the form along that is its own bytes, and no other', () => {
    const memory = new EntryMemory(SLAB_BYTES);
    const entries = entriesIn(memory);
    const [first, second] = entries;
    assert.ok(first !== undefined && second !== undefined);
    const other = Buffer.from('other');
    first.shownAs = first.bytes;
    second.shownAs = other;
    const before = first.bytes;
    for (const [i, entry] of entries.entries()) if (i % 6 > 1) entry.release();
    memory.slabs.compact();
    assert.notEqual(first.bytes, before, 'it has moved');
    assert.equal(first.shownAs, first.bytes);
    assert.equal(second.shownAs, other);
  });
});

describe('the entry of a stored value that is not an object', () => {
  it('is corrupt', () => {
    const revision = revisionOf(5n);
    for (const value of ['{"metadata":{"name":"a"}}', '{"metadata":{"name":"a"', '[]', 'x']) {
      assert.equal(Entry.fromStored('a', Buffer.from(value), revision).corrupt, true, value);
    }
    assert.equal(Entry.fromStored('a', storedObject('a', {}), revision).corrupt, false);
  });
});

describe('the end of the metadata in the bytes of an entry', () => {
  it('is behind its brace, whatever stands in it, also under the revision of a deletion', () => {
    const value = storedObject('a', { app: '}' }, 1);
    const entry = Entry.fromStored('a', value, revisionOf(9n));
    for (const state of [entry, entry.deletedAt(revisionOf(1_000n))]) {
      const text = state.bytes.toString('utf8', 0, state.metadataEnd);
      const { metadata } = JSON.parse(`${text}}`) as { metadata: object };
      assert.deepEqual(metadata, state.object().metadata);
    }
    assert.equal(Entry.fromStored('a', Buffer.from('x'), revisionOf(9n)).metadataEnd, 0);
  });
});
