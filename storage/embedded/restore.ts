import { existsSync } from 'node:fs';
import { chmod, copyFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { revisionOf, type Revision } from '../../api/revision.ts';
import { StoreError } from '../errors.ts';
import { makeDirectory } from '../make-directory.ts';
import { revisionOfCopy } from './backup.ts';
import { Environment } from './environment.ts';
import { Meta } from './meta.ts';
import { DATA_FILE } from './data-file.ts';
import { DEFAULT_MAX_BYTES } from './open.ts';
import { syncFile } from './sync.ts';

/**
 * Added to the copy's revision, so that no client has seen the revisions that
 * follow: that would take a billion writes between the backup and the disaster.
 */
const REVISION_STEP = 1_000_000_000n;

/**
 * Makes the store of a directory from a copy. Its revisions go on far above the
 * copy's and its history is cut there: clients that have seen revisions that are
 * lost are told that history is gone, and never shown other objects under a
 * revision that they know.
 *
 * @throws StoreError whose message is one line for the operator
 */
export async function restoreEmbeddedStore(
  file: string,
  directory: string,
): Promise<{ from: Revision; to: Revision }> {
  if (!existsSync(file)) throw new StoreError('unavailable', `${file} does not exist`);
  const target = join(directory, DATA_FILE);
  if (existsSync(target)) {
    throw new StoreError(
      'unavailable',
      `${directory} already contains a store; move it away first`,
    );
  }
  const partial = `${target}.partial`;
  try {
    makeDirectory(directory);
    await copyFile(file, partial);
    // a copy has the mode of its source, which may be a backup that others may read
    await chmod(partial, 0o600);
    const from = await revisionOfCopy(partial);
    const to = await step(partial, from);
    syncFile(partial);
    await rename(partial, target);
    syncFile(directory);
    syncFile(dirname(directory));
    return { from, to };
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof StoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('corrupt', `${file} cannot be restored: ${reason}`, { cause: error });
  } finally {
    await rm(`${partial}-lock`, { force: true });
  }
}

async function step(file: string, from: Revision): Promise<Revision> {
  const to = revisionOf(from + REVISION_STEP);
  const environment = new Environment(file, DEFAULT_MAX_BYTES * 2);
  try {
    const meta = new Meta(environment.tables.meta);
    await environment.transaction(() => {
      meta.revision = to;
      meta.compacted = to;
    });
    return to;
  } finally {
    await environment.close();
  }
}
