import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreOptions } from '../storage/open.ts';
import type { ServerConfig } from '../config/flags.ts';

/** Where the embedded store lies. */
export const embeddedDirectory = ({ dataDir }: ServerConfig): string => join(dataDir, 'store');

/**
 * The store that the command line names. `onCorrupt` is called when the embedded one can serve no
 * longer. Several workers share one that another process owns.
 */
export function storeOptionsOf(
  config: ServerConfig,
  onCorrupt: (error: Error) => void = () => undefined,
): StoreOptions {
  if (config.storage === 'embedded') {
    const kind = config.workers > 1 ? 'shared' : 'embedded';
    return { kind, dir: embeddedDirectory(config), onCorrupt };
  }
  const { etcdUsername, etcdPasswordFile } = config;
  return {
    kind: 'etcd',
    endpoints: config.etcdServers,
    prefix: config.etcdPrefix,
    tls: {
      caFile: config.etcdCafile,
      certFile: config.etcdCertfile,
      keyFile: config.etcdKeyfile,
    },
    auth:
      etcdUsername === undefined || etcdPasswordFile === undefined
        ? undefined
        : { username: etcdUsername, password: readFileSync(etcdPasswordFile, 'utf8').trim() },
  };
}
