import { join, resolve } from 'node:path';
import { systemClock } from '../../api/clock.ts';
import { DATA_FILE } from '../embedded/data-file.ts';
import { Environment } from '../embedded/environment.ts';
import { Meta } from '../embedded/meta.ts';
import { DEFAULT_MAX_BYTES, type EmbeddedOptions } from '../embedded/open.ts';
import { StoreError } from '../errors.ts';
import { Channel } from './channel.ts';
import { SharedStore } from './store.ts';

/**
 * Opens the embedded store that another process owns (./owner.ts), which has
 * opened it by now.
 *
 * @throws StoreError whose message is one line for the user
 */
export async function openSharedStore(options: EmbeddedOptions): Promise<SharedStore> {
  const { clock = systemClock, maxBytes = DEFAULT_MAX_BYTES, onCorrupt } = options;
  const directory = resolve(options.dir);
  let environment: Environment | undefined;
  try {
    environment = new Environment(join(directory, DATA_FILE), maxBytes * 2, {
      readOnly: true,
      onCorrupt,
    });
    const meta = new Meta(environment.tables.meta);
    meta.checkFormat(directory);
    return new SharedStore({
      ...{ environment, meta },
      connect: (onRevision) => new Channel({ directory, clock, onRevision }),
    });
  } catch (error) {
    await environment?.close();
    if (error instanceof StoreError) throw error;
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new StoreError('corrupt', `the data in ${directory} cannot be opened: ${reason}`, {
      cause: error,
    });
  }
}
