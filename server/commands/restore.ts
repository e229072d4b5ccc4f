import { join } from 'node:path';
import { textOf, type OperatorCommand } from './command.ts';

export const restoreCommand: OperatorCommand = {
  name: 'restore',
  description:
    'Makes the embedded store of a new data directory from a copy that "plinth backup" has made. Revisions go on far above those of the copy, so that clients that have seen newer ones read everything again.',
  options: (command) =>
    command
      .requiredOption('--from <file>', 'the copy')
      .option('--data-dir <dir>', 'data directory; it must hold no store yet', 'data'),
  run: async (options, write) => {
    const { restoreEmbeddedStore } = await import('../../storage/embedded/restore.ts');
    const directory = join(textOf(options, 'dataDir'), 'store');
    const { from, to } = await restoreEmbeddedStore(textOf(options, 'from'), directory);
    write(`Restored revision ${from} to ${directory}; revisions go on behind ${to}.\n`);
  },
};
