import type { ApiObject } from '../api/object.ts';
import assert from 'node:assert/strict';
import { badRequest } from '../api/api-error.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import { NO_REVISION } from '../api/revision.ts';
import { encodeStored } from '../storage/stored-bytes.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { Collection } from '../watch/collection.ts';
import { EntryMemory } from '../watch/entry-memory.ts';
import { Entry } from '../watch/entry.ts';
import { guaranteedUpdate, type Decision, type UpdateResult } from './guaranteed-update.ts';

const PREFIX = 'things.example.com/things/';
const KEY = 'a';

describe('guaranteedUpdate on a stale copy', () => {
  let store: MemoryStore;
  let old: Entry;
  const collection = new Collection(PREFIX, NO_REVISION, new EntryMemory());
  /** The states that `decide` was shown. */
  let shown: (number | undefined)[];

  beforeEach(async () => {
    store = new MemoryStore();
    shown = [];
    const first = await store.create(PREFIX + KEY, bytes(1));
    assert.ok(first.outcome === 'ok');
    old = Entry.fromStored(KEY, bytes(1), first.revision);
    const second = await store.update(PREFIX + KEY, bytes(2), first.revision);
    assert.ok(second.outcome === 'ok');
  });

  function thing(n: number): ApiObject {
    return { apiVersion: 'v1', kind: 'Thing', metadata: { name: KEY, uid: 'u' }, n };
  }

  function bytes(n: number): Buffer {
    return encodeStored(thing(n));
  }

  function write(n: number): Decision<number> {
    return { do: 'write', stored: bytes(n), object: thing(n), ttlSeconds: undefined, answer: n };
  }

  function run(decide: (n: number | undefined) => Decision<number>): Promise<UpdateResult<number>> {
    return guaranteedUpdate({
      store,
      prefix: PREFIX,
      key: KEY,
      name: KEY,
      resource: { group: 'things.example.com', resource: 'things' },
      cached: old,
      ownWrite: (stored, object) => collection.ownWrite(KEY, stored, object),
      signal: undefined,
      caller: 'someone',
      decide: async (current) => {
        const n = current?.object().n as number | undefined;
        shown.push(n);
        return Promise.resolve(decide(n));
      },
    });
  }

  async function stored(): Promise<unknown> {
    const { item } = await store.get(PREFIX + KEY);
    return item === undefined ? undefined : parseStoredJson(item.value).n;
  }

  it('a no-op on the cached copy is decided again on the stored object', async () => {
    const { entry } = await run(() => write(1));
    assert.deepEqual(shown, [1, 2]);
    assert.equal(await stored(), 1);
    assert.equal(entry?.revision, store.revision, 'the answer is the state that was written');
  });

  it('an update without changes is decided again on the stored object', async () => {
    const { entry, answer } = await run((n = 0) => ({ do: 'keep', answer: n }));
    assert.deepEqual(shown, [1, 2]);
    assert.equal(entry?.object().n, 2);
    assert.equal(answer, 2, 'the answer is that of the decision that counts');
  });

  it('a refusal is decided again on the stored object', async () => {
    await run((n) => {
      if (n === 1) throw badRequest('not while it is 1');
      return write(3);
    });
    assert.deepEqual(shown, [1, 2]);
    assert.equal(await stored(), 3);
  });

  it('a write and a removal are decided again by what is stored', async () => {
    await run(() => write(4));
    assert.deepEqual(shown, [1, 2]);
    await run(() => ({ do: 'remove', answer: 0 }));
    assert.deepEqual(shown, [1, 2, 1, 4]);
    assert.equal(await stored(), undefined);
  });

  it('an object that has gone meanwhile is seen as gone', async () => {
    await store.delete(PREFIX + KEY, store.revision);
    const { entry } = await run(() => ({ do: 'keep', answer: 0 }));
    assert.deepEqual(shown, [1, undefined]);
    assert.equal(entry, undefined);
  });
});
