import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemClock, type Clock } from '../../api/clock.ts';
import type { Revision } from '../../api/revision.ts';
import { StoreError } from '../errors.ts';
import { makeDirectory } from '../make-directory.ts';
import { CommitQueue, type Commit } from './commit-queue.ts';
import { checkPages } from './check.ts';
import { Compaction } from './compaction.ts';
import { DATA_FILE, faultOf } from './data-file.ts';
import { Environment } from './environment.ts';
import { Expiry } from './expiry.ts';
import { reserveLockFile } from './lock-file.ts';
import { LogReader } from './log-reader.ts';
import { Meta } from './meta.ts';
import { Newest } from './newest.ts';
import { ProcessLock } from './process-lock.ts';
import { filePages } from './file-pages.ts';
import { Reader } from './reader.ts';
import { Space } from './space.ts';
import { EmbeddedStore } from './store.ts';
import { syncFile } from './sync.ts';
import { StoreTime } from './store-time.ts';
import { UncleanEnds } from './unclean-ends.ts';
import type { WatchCursor } from './watch.ts';

export interface EmbeddedOptions {
  /** Directory of the data; made when it is not there. One process at a time may have it. */
  dir: string;
  /** The store takes no more writes when its data reach this size. */
  maxBytes?: number;
  clock?: Clock;
  /** The last process that had the directory was killed from outside: that tells nothing of the data. */
  afterKill?: boolean;
  /** Called once when the data file turns out to be corrupted: nothing can be read or written then. */
  onCorrupt?: (error: StoreError) => void;
  /** Told every revision when it is durable, before those who wait for it. */
  onRevision?: (revision: Revision) => void;
}

/** As the most that is suggested for etcd. */
export const DEFAULT_MAX_BYTES = 8 * 1024 ** 3;
/**
 * After so many ends in a row that were none in order, a process of its own reads
 * the whole file before this one does. The first may be a power cut or a kill,
 * which do no harm.
 */
const UNCLEAN_ENDS_BEFORE_CHECK = 2;

/**
 * Opens the store in a directory, new or as the last process left it, however
 * that ended.
 *
 * @throws StoreError whose message is one line for the user: in use by another
 *   process, written by a newer version, directory not usable
 */
export async function openEmbeddedStore(options: EmbeddedOptions): Promise<EmbeddedStore> {
  const { clock = systemClock, maxBytes = DEFAULT_MAX_BYTES, onRevision } = options;
  const dir = resolve(options.dir);
  // Twice the quota of address space, for pages that are free but not in one piece; LMDB grows it if need be.
  const mapBytes = maxBytes * 2;
  makeDataDirectory(dir);
  const lock = await ProcessLock.acquire(dir).catch((error: unknown) => {
    throw error instanceof StoreError ? error : unusable(dir, error);
  });
  const ends = new UncleanEnds(dir, options.afterKill);
  let environment: Environment | undefined;
  try {
    if (ends.before >= UNCLEAN_ENDS_BEFORE_CHECK) await checkPages(join(dir, DATA_FILE));
    ends.count();
    environment = openEnvironment(dir, mapBytes, options.onCorrupt);
    const meta = new Meta(environment.tables.meta);
    meta.checkFormat(dir);
    const time = new StoreTime(clock, meta.readTime());
    const space = new Space(dir, environment, maxBytes);
    await begin({ environment, meta, time, space });
    return assemble({
      dir,
      mapBytes,
      lock,
      ends,
      environment,
      meta,
      time,
      space,
      clock,
      onRevision,
    });
  } catch (error) {
    await environment?.close();
    ends.uncount();
    await lock.release();
    if (error instanceof StoreError) throw error;
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new StoreError('corrupt', `the data in ${dir} cannot be opened: ${reason}`, {
      cause: error,
    });
  }
}

/** Writes down that the store is there and which time it is. A store that has no room for it is read all the same. */
async function begin({
  environment,
  meta,
  time,
  space,
}: Pick<Foundation, 'environment' | 'meta' | 'time' | 'space'>): Promise<void> {
  const isNew = !meta.hasFormat;
  try {
    await environment.transaction(() => {
      meta.writeFormat();
      meta.writeTime(time.save());
    });
  } catch (error) {
    const failure = space.explain(error);
    if (isNew || failure.code !== 'outOfSpace') throw failure;
  }
}

interface Foundation {
  dir: string;
  mapBytes: number;
  lock: ProcessLock;
  ends: UncleanEnds;
  environment: Environment;
  meta: Meta;
  time: StoreTime;
  space: Space;
  clock: Clock;
  onRevision: EmbeddedOptions['onRevision'];
}

function assemble(foundation: Foundation): EmbeddedStore {
  const { lock, ends, environment, meta, time, space, clock } = foundation;
  const watches = new Set<WatchCursor>();
  const newest = new Newest(meta.revision);
  const log = new LogReader(environment, meta, newest.told);
  const onCommit = (commit: Commit): void => {
    newest.told(commit.revision);
    log.keep(commit);
    if (commit.events.length === 0) return;
    foundation.onRevision?.(commit.revision);
    for (const watch of watches) watch.wake();
  };
  const queue = new CommitQueue({ environment, meta, space, time, onCommit });
  const expiry = new Expiry(queue, environment.tables.expiry, clock, time);
  const compaction = new Compaction(queue);
  const reader = new Reader(environment, meta);
  const file = join(foundation.dir, DATA_FILE);
  const keys = (): number => environment.tables.state.entries();
  const pages = filePages(reader, { file, mapBytes: foundation.mapBytes }, keys);
  const store = new EmbeddedStore({
    ...{
      lock,
      ends,
      environment,
      meta,
      newest,
      space,
      queue,
      reader,
      pages,
      log,
      compaction,
      expiry,
      watches,
    },
  });
  // What the last process could not finish.
  compaction.sweep();
  expiry.schedule();
  return store;
}

/** Only the owner may read the data. The directory entry must survive a power cut like its contents. */
function makeDataDirectory(dir: string): void {
  try {
    const isNew = !existsSync(dir);
    makeDirectory(dir);
    if (isNew) syncFile(dirname(dir));
  } catch (error) {
    throw unusable(dir, error);
  }
}

function openEnvironment(
  dir: string,
  mapBytes: number,
  onCorrupt: EmbeddedOptions['onCorrupt'],
): Environment {
  const file = join(dir, DATA_FILE);
  const isNew = !existsSync(file);
  const fault = faultOf(file);
  if (fault !== undefined) {
    throw new StoreError('corrupt', `the data file ${file} cannot be opened: ${fault}`);
  }
  try {
    reserveLockFile(file);
  } catch (error) {
    throw unusable(dir, error);
  }
  const environment = new Environment(file, mapBytes, { onCorrupt });
  if (isNew) syncFile(dir);
  return environment;
}

function unusable(dir: string, error: unknown): StoreError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new StoreError('unavailable', `the data directory ${dir} cannot be used: ${code}`, {
    cause: error,
  });
}
