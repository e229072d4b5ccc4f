import { join } from 'node:path';
import { openStore } from '../../storage/open.ts';
import { storeOptionsOf } from '../store-options.ts';
import { textOf, type OperatorCommand } from './command.ts';
import { etcdConfigOf, withEtcdFlags } from './etcd-flags.ts';

export const migrateCommand: OperatorCommand = {
  name: 'migrate',
  description:
    'Copies all objects from the embedded store to an empty prefix of an etcd cluster. Stop all servers first. Revisions in etcd begin above those of the embedded store.',
  options: (command) => {
    command.option('--data-dir <dir>', 'data directory of the embedded store', 'data');
    return withEtcdFlags(command);
  },
  run: async (options, write) => {
    const dataDir = textOf(options, 'dataDir');
    const { openEmbeddedStore } = await import('../../storage/embedded/open.ts');
    const { migrate } = await import('../../storage/migrate.ts');
    const config = etcdConfigOf('migrate', options, write);
    const from = await openEmbeddedStore({ dir: join(dataDir, 'store') });
    try {
      const to = await openStore(storeOptionsOf(config));
      try {
        const { items, revision } = await migrate(from, to);
        write(`Copied ${items} objects; etcd stands at revision ${revision}.\n`);
      } finally {
        await to.close();
      }
    } finally {
      await from.close();
    }
  },
};
