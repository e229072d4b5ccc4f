import { join } from 'node:path';
import { textOf, type OperatorCommand } from './command.ts';

export const restoreCommand: OperatorCommand = {
  name: 'restore',
  description:
    'Creates the embedded store of a new data directory from a copy made by "plinth backup". Revisions continue far above those of the copy, so clients that have seen newer revisions receive 410 and list again.',
  options: (command) =>
    command
      .requiredOption('--from <file>', 'the copy')
      .option('--data-dir <dir>', 'data directory; it must not contain a store', 'data'),
  run: async (options, write) => {
    const { restoreEmbeddedStore } = await import('../../storage/embedded/restore.ts');
    const directory = join(textOf(options, 'dataDir'), 'store');
    const { from, to } = await restoreEmbeddedStore(textOf(options, 'from'), directory);
    write(`Restored revision ${from} to ${directory}; revisions go on behind ${to}.\n`);
  },
};
