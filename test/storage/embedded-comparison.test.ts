import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../api/clock.ts';
import { openStore } from '../../storage/open.ts';
import { ReplicaComparison, type Comparison } from '../../watch/comparison.ts';
import { Replica } from '../../watch/replica.ts';

describe('the comparison of a replica with the embedded store', () => {
  it('finds equal what both hold, in whatever order they hold names beyond ASCII', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'plinth-store-'));
    const store = await openStore({ kind: 'embedded', dir });
    // A page ends among them. UTF-16 orders the second kind of names first, UTF-8 the first kind.
    const names = ['\uFF5E', '😀'].flatMap((kind) =>
      Array.from({ length: 300 }, (_, i) => `${kind}${i}`),
    );
    const value = Buffer.from('{"metadata":{}}');
    await Promise.all(
      [...names, 'a', '\uFF5E'].map((name) => store.create(`a.example.com/things/${name}`, value)),
    );
    await store.create('b.example.com/things/b', value);
    const replica = new Replica({ store, clock: systemClock });
    await replica.start();
    const comparison = new ReplicaComparison(store, replica);
    let result: Comparison | undefined;
    let pages = 0;
    for (; result === undefined; pages++) result = await comparison.next();
    await replica.stop();
    await store.close();
    await rm(dir, { recursive: true });
    assert.deepEqual([result.examples, result.keys], [[], names.length + 3]);
    assert.equal(pages, 2);
  });
});
