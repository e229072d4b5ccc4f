import assert from 'node:assert/strict';
import { FakeClock, settle, whileTimePasses } from '../test/support/fake-clock.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import type { WatchBatch, WatchOptions } from '../storage/interface.ts';
import { Replica } from './replica.ts';
import { storedObject } from './testing.ts';

/** A store that has compared the values of its log with their checksums, or has not. */
class CheckingStore extends MemoryStore {
  readonly #checked: boolean;

  constructor(checked: boolean) {
    super();
    this.#checked = checked;
  }

  override async *watch(options: WatchOptions): AsyncIterable<WatchBatch> {
    for await (const { revision, events } of super.watch(options)) {
      yield { revision, events, checked: this.#checked };
    }
  }
}

describe('an event whose value the store has compared with its checksum', () => {
  /** Behind the metadata no JSON: who parses the object finds that out. */
  const half = Buffer.from(storedObject('a', { app: 'x' }).toString().replace('"n":0', '"n":?'));

  for (const checked of [true, false]) {
    it(`is ${checked ? 'not parsed' : 'parsed when it has not'}`, async () => {
      const clock = new FakeClock();
      const store = new CheckingStore(checked);
      const replica = new Replica({ store, clock });
      await whileTimePasses(clock, replica.start());
      await store.create('things.example.com/things/a', half);
      await settle();
      const entry = replica.collection('things.example.com/things/').items.get('a');
      assert.deepEqual(
        [entry?.corrupt, { ...entry?.labels }],
        checked ? [false, { app: 'x' }] : [true, {}],
      );
      await replica.stop();
    });
  }
});
