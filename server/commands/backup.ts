import { join, resolve } from 'node:path';
import { textOf, type OperatorCommand } from './command.ts';

export const backupCommand: OperatorCommand = {
  name: 'backup',
  description:
    'Copies the embedded store to a file while a server may use it. (Of etcd, take a snapshot with etcdctl.)',
  options: (command) =>
    command
      .option('--data-dir <dir>', 'data directory of the server', 'data')
      .requiredOption('--to <file>', 'the copy; an older one of that name is replaced'),
  run: async (options, write) => {
    const { backupEmbeddedStore } = await import('../../storage/embedded/backup.ts');
    const to = resolve(textOf(options, 'to'));
    const { revision } = await backupEmbeddedStore(join(textOf(options, 'dataDir'), 'store'), to);
    write(`Copied revision ${revision} to ${to}.\n`);
  },
};
