import { InvalidArgumentError } from 'commander';
import { revisionOf } from '../../api/revision.ts';
import { openStore } from '../../storage/open.ts';
import { raise } from '../../storage/raise.ts';
import { storeOptionsOf } from '../store-options.ts';
import { textOf, type OperatorCommand } from './command.ts';
import { etcdConfigOf, withEtcdFlags } from './etcd-flags.ts';

/** History is cut so often, or it would need more space than it is worth. */
const STEP = 20_000n;
const MAX_BY = 1_000_000_000n;

export const advanceCommand: OperatorCommand = {
  name: 'advance',
  description:
    'For an etcd that was restored from a snapshot: raises its revision above all revisions that clients have seen and compacts there, so that clients list again and miss no change. Stop all servers first. Not needed after "etcdutl snapshot restore --bump-revision".',
  options: (command) =>
    withEtcdFlags(command).option(
      '--by <count>',
      'number of revisions, more than the writes between the snapshot and the failure; a million takes minutes',
      countOf,
      '1000000',
    ),
  run: async (options, write) => {
    const store = await openStore(storeOptionsOf(etcdConfigOf('advance', options, write)));
    try {
      let at = await store.currentRevision();
      const target = at + BigInt(textOf(options, 'by'));
      while (at < target) {
        await raise(store, revisionOf(at + STEP < target ? at + STEP : target));
        at = await store.currentRevision();
        await store.compact(at);
      }
      write(`etcd stands at revision ${at}; its history begins there.\n`);
    } finally {
      await store.close();
    }
  },
};

/** @throws InvalidArgumentError */
function countOf(text: string): string {
  const isCount = /^[1-9]\d*$/.test(text) && BigInt(text) <= MAX_BY;
  if (!isCount) throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_BY}.`);
  return text;
}
