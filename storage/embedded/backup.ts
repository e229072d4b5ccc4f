import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Revision } from '../../api/revision.ts';
import { StoreError } from '../errors.ts';
import { DATA_FILE, faultOf } from './data-file.ts';
import { Environment } from './environment.ts';
import { Meta } from './meta.ts';
import { DEFAULT_MAX_BYTES } from './open.ts';
import { syncFile } from './sync.ts';

/**
 * Copies the store of a directory to a file, consistently, also while another
 * process serves it. An older copy is replaced when the new one is complete.
 *
 * @returns the revision that the copy holds
 * @throws StoreError whose message is one line for the operator
 */
export async function backupEmbeddedStore(
  directory: string,
  file: string,
): Promise<{ revision: Revision }> {
  const source = join(directory, DATA_FILE);
  if (!existsSync(source)) throw new StoreError('unavailable', `${directory} contains no store`);
  const partial = `${file}.partial`;
  try {
    await rm(partial, { force: true });
    const environment = new Environment(source, DEFAULT_MAX_BYTES * 2, { readOnly: true });
    try {
      await environment.copyTo(partial);
    } finally {
      await environment.close();
    }
    const revision = await revisionOfCopy(partial);
    syncFile(partial);
    await rename(partial, file);
    return { revision };
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof StoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('unavailable', `the store could not be copied to ${file}: ${reason}`, {
      cause: error,
    });
  }
}

/** Opens the copy as a store, for only what can be opened is a backup. */
export async function revisionOfCopy(file: string): Promise<Revision> {
  const fault = faultOf(file);
  if (fault !== undefined) throw new StoreError('corrupt', `${file}: ${fault}`);
  const environment = new Environment(file, DEFAULT_MAX_BYTES * 2, { readOnly: true });
  try {
    const meta = new Meta(environment.tables.meta);
    meta.checkFormat(file);
    return meta.revision;
  } finally {
    await environment.close();
    await rm(`${file}-lock`, { force: true });
  }
}
