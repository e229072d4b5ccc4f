import { join, resolve } from 'node:path';
import { textOf, type OperatorCommand } from './command.ts';

export const backupCommand: OperatorCommand = {
  name: 'backup',
  description:
    'Copies the embedded store to a file. The server may keep running. (For etcd, use "etcdctl snapshot save".)',
  options: (command) =>
    command
      .option('--data-dir <dir>', 'data directory of the server', 'data')
      .requiredOption('--to <file>', 'file of the copy; an existing file is replaced'),
  run: async (options, write) => {
    const { backupEmbeddedStore } = await import('../../storage/embedded/backup.ts');
    const to = resolve(textOf(options, 'to'));
    const { revision } = await backupEmbeddedStore(join(textOf(options, 'dataDir'), 'store'), to);
    write(`Copied revision ${revision} to ${to}.\n`);
  },
};
