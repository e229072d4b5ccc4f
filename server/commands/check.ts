import { join } from 'node:path';
import { checkEmbeddedStore } from '../../storage/embedded/check.ts';
import { textOf, type OperatorCommand } from './command.ts';

export const checkCommand: OperatorCommand = {
  name: 'check',
  description:
    'Reads every object of the embedded store and prints the ones that cannot be read. Stop the server first. Exits with 1 when unreadable objects remain.',
  options: (command) =>
    command
      .option('--data-dir <dir>', 'data directory of the server', 'data')
      .option('--remove', 'remove the objects that cannot be read', false),
  run: async (options, write) => {
    const remove = options['remove'] === true;
    const directory = join(textOf(options, 'dataDir'), 'store');
    const { objects, damaged } = await checkEmbeddedStore(directory, { remove });
    const what = remove ? 'Removed' : 'Damaged:';
    for (const { key, revision } of damaged) write(`${what} ${key} (revision ${revision})\n`);
    write(`Checked ${objects} objects; ${damaged.length} cannot be read.\n`);
    if (damaged.length > 0 && !remove) {
      throw new Error('some objects cannot be read: restore a backup, or use --remove');
    }
  },
};
