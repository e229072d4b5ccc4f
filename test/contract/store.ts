import type { Store } from '../../storage/interface.ts';
import { describeHistory } from './store-history.ts';
import type { StoreContract, StoreHarness } from './store-kit.ts';
import { describeModel } from './store-model.ts';
import { describeReads } from './store-reads.ts';
import { describeWatches } from './store-watch.ts';
import { describeWrites } from './store-writes.ts';

/**
 * Everything that storage/interface.ts promises, as tests that every
 * implementation passes. Tests share one store, each under a prefix of its own.
 */
export function describeStoreContract(contract: StoreContract): void {
  describe(`store contract: ${contract.name}`, () => {
    let harness: StoreHarness | undefined;
    const store = (): Store => harness!.store;

    before(async () => {
      harness = await contract.open();
    });
    after(async () => {
      await harness?.close();
    });

    describeWrites(store);
    describeReads(store);
    describeWatches(store);
    describeHistory(store);
    describeModel(store);
  });
}
