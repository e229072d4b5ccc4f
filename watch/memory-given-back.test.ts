import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { NO_REVISION, revisionOf } from '../api/revision.ts';
import { Collection } from './collection.ts';
import { EntryMemory } from './entry-memory.ts';
import { storedObject } from './testing.ts';

const SLAB_BYTES = 4_000;
const WRITES = 10_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A resource whose objects come and go, and the memory that has ever been used for them. */
class World {
  readonly memory = new EntryMemory(SLAB_BYTES);
  readonly collection = new Collection('things.example.com/things/', NO_REVISION, this.memory);
  readonly #buffers = new Set<WeakRef<ArrayBufferLike>>();
  #last: WeakRef<ArrayBufferLike> | undefined;
  #revision = 0;

  put(key: string): void {
    const revision = revisionOf(BigInt(++this.#revision));
    this.collection.put(key, storedObject(key, {}, this.#revision), revision, 0);
    const { buffer } = this.collection.items.get(key)!.bytes;
    if (this.#last?.deref() === buffer) return;
    this.#last = new WeakRef(buffer);
    this.#buffers.add(this.#last);
  }

  remove(key: string): void {
    this.collection.remove(key, revisionOf(BigInt(++this.#revision)), 0);
  }

  /** What a replica does about every second; here the history is short. */
  trim(): void {
    this.collection.history.trim(() => true);
    this.memory.slabs.compact();
  }

  /** Those of the slabs that objects were first written to which are still referenced. */
  async alive(): Promise<number> {
    await nextTurn();
    collectGarbage();
    return [...this.#buffers].filter((buffer) => buffer.deref() !== undefined).length;
  }

  get ever(): number {
    return this.#buffers.size;
  }
}

describe('memory of objects', () => {
  it('is given back when they have changed or gone, though a few stay for ever', async () => {
    const world = new World();
    for (let i = 0; i < WRITES; i++) {
      if (i % 500 === 0) world.put(`lasting-${i}`);
      world.put(`changing-${i % 7}`);
      world.put(`passing-${i}`);
      world.remove(`passing-${i}`);
      if (i % 100 === 0) world.trim();
    }
    world.trim();
    assert.ok(world.ever > 500, `${world.ever} slabs were used`);
    const entries = [...world.collection.items.range('')];
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes.length, 0);
    assert.ok(world.memory.slabs.bytes <= bytes / 0.75 + 2 * SLAB_BYTES);
    const alive = await world.alive();
    assert.ok(alive * SLAB_BYTES <= world.memory.slabs.bytes, `${alive} slabs are kept alive`);
    for (const { name, bytes: own } of entries) assert.ok(own.includes(`"name":"${name}"`));
  });

  it('stays unchanged while a view of it exists', async () => {
    const world = new World();
    const views: { view: Buffer; text: string }[] = [];
    for (let i = 0; i < WRITES; i++) {
      world.put(`changing-${i % 7}`);
      if (i % 1_000 === 0) {
        const { bytes: view } = world.collection.items.get(`changing-${i % 7}`)!;
        views.push({ view, text: view.toString() });
      }
      if (i % 100 === 0) world.trim();
    }
    world.trim();
    const held = world.memory.slabs.bytes / SLAB_BYTES;
    const alive = await world.alive();
    assert.ok(alive >= views.length && alive <= held + views.length, `${alive} slabs are alive`);
    for (const { view, text } of views) assert.equal(view.toString(), text);
  });
});
