import { join } from 'node:path';
import { openEmbeddedStore } from '../../storage/embedded/open.ts';
import { migrate } from '../../storage/migrate.ts';
import { openStore } from '../../storage/open.ts';
import { FlagError, parseFlags } from '../flags.ts';
import { storeOptionsOf } from '../store-options.ts';
import { textOf, type OperatorCommand } from './command.ts';

/** The flags of the server by which etcd is found. */
const ETCD_FLAGS = [
  ['--etcd-servers <urls>', 'etcdServers'],
  ['--etcd-prefix <prefix>', 'etcdPrefix'],
  ['--etcd-cafile <file>', 'etcdCafile'],
  ['--etcd-certfile <file>', 'etcdCertfile'],
  ['--etcd-keyfile <file>', 'etcdKeyfile'],
  ['--etcd-username <name>', 'etcdUsername'],
  ['--etcd-password-file <file>', 'etcdPasswordFile'],
] as const;

export const migrateCommand: OperatorCommand = {
  name: 'migrate',
  description:
    'Copies everything from the embedded store to an empty prefix of an etcd cluster. No server may run on either. Revisions in etcd begin above those of the embedded store.',
  options: (command) => {
    command.option('--data-dir <dir>', 'data directory of the embedded store', 'data');
    for (const [flag] of ETCD_FLAGS) command.option(flag, 'as for the server');
    return command;
  },
  run: async (options, write) => {
    const dataDir = textOf(options, 'dataDir');
    const args = ETCD_FLAGS.flatMap(([flag, name]) =>
      typeof options[name] === 'string' ? [flag.split(' ')[0] ?? '', options[name]] : [],
    );
    const config = parseFlags(['--data-dir', dataDir, ...args], write);
    if (config.storage !== 'etcd') throw new FlagError('plinth migrate needs --etcd-servers');
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
