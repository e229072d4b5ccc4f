import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { encryptedStore } from '../../storage/encryption/encrypted-store.ts';
import { rewriteStale } from '../../storage/encryption/rewrite.ts';
import { Encryption } from '../../storage/encryption/value-cipher.ts';
import { resourcePrefix } from '../../storage/keys.ts';
import type { Store } from '../../storage/interface.ts';
import { watchFiles } from '../reload/watched-file.ts';
import { readEncryption } from './config-file.ts';

/** Other servers of the installation have this long to read a new configuration before values are rewritten. */
const REWRITE_AFTER_MS = 5_000;

export interface AtRestParts {
  /** The EncryptionConfiguration; undefined: values are stored as they are. */
  readonly file: string | undefined;
  readonly store: Store;
  /** Do objects under this key vanish by themselves? */
  readonly expires: (key: string) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface AtRest {
  readonly store: Store;
  /** Looks after the file, and rewrites what is stored in another way than it says. */
  start(): void;
  stop(): Promise<void>;
}

/**
 * The store with encrypted values. When the configuration changes, what is
 * stored is written anew with its first key.
 *
 * @throws Error that names file and field
 */
export function atRest({ file, store, expires, clock, log }: AtRestParts): AtRest {
  if (file === undefined) return { store, start: () => undefined, stop: () => Promise.resolve() };
  const encryption = new Encryption(readEncryption(file));
  const stopping = new AbortController();
  let rewriting: Promise<void> = Promise.resolve();
  let cancel: () => void = () => undefined;
  let stopWatching: () => void = () => undefined;

  const rewrite = async (): Promise<void> => {
    const { signal } = stopping;
    try {
      const written = await rewriteStale({ store, encryption, skips: expires, signal });
      if (written > 0) log.info({ written }, 'values written anew with the first key');
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'values could not be written anew');
    }
  };
  const rewriteSoon = (): void => {
    cancel();
    cancel = clock.after(REWRITE_AFTER_MS, () => {
      rewriting = rewriting.then(rewrite);
    });
  };
  const reload = (): void => {
    encryption.replace(readEncryption(file));
    log.info({ file }, 'read again');
    rewriteSoon();
  };
  const onProblem = (message: string, error: unknown): void => log.error({ err: error }, message);
  return {
    store: encryptedStore(store, encryption),
    start() {
      stopWatching = watchFiles({ files: [file], clock, onChange: reload, onProblem });
      rewriteSoon();
    },
    async stop() {
      stopWatching();
      cancel();
      stopping.abort(new Error('shutting down'));
      await rewriting;
    },
  };
}

/** Keys of kinds whose objects vanish by themselves. */
export function expiringKeys(definitions: readonly ResourceDefinition[]): (key: string) => boolean {
  const prefixes = definitions
    .filter(({ ttlSeconds }) => ttlSeconds !== undefined)
    .map(({ group, names }) => resourcePrefix({ group, resource: names.plural }));
  return (key) => prefixes.some((prefix) => key.startsWith(prefix));
}
