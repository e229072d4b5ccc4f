import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { encryptedStore } from '../../storage/encryption/encrypted-store.ts';
import { rewriteStale } from '../../storage/encryption/rewrite.ts';
import { Encryption } from '../../storage/encryption/value-cipher.ts';
import { resourcePrefix } from '../../storage/keys.ts';
import type { Store } from '../../storage/interface.ts';
import type { Family } from '../../telemetry/metrics/family.ts';
import { watchFiles } from '../../outbound/watched-file.ts';
import { readEncryption } from './config-file.ts';

/** Other servers of the installation have this long to read a new configuration before values are rewritten. */
const REWRITE_AFTER_MS = 5_000;
/** When something is left, or the store has failed, it is looked at again after this. */
const LOOK_AGAIN_MS = 60_000;

interface AtRestParts {
  /** The EncryptionConfiguration; undefined: values are stored as they are. */
  readonly file: string | undefined;
  readonly store: Store;
  /** Do objects under this key vanish by themselves? */
  readonly expires: (key: string) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

interface AtRest {
  readonly store: Store;
  /** Looks after the file, and rewrites what is stored in another way than it says. */
  start(): void;
  stop(): Promise<void>;
  readonly families: readonly Family[];
}

/**
 * The store with encrypted values. When the configuration changes, existing
 * values are rewritten with the first key; a metric shows when the other keys
 * are no longer needed.
 *
 * @throws Error that names file and field
 */
export function atRest({ file, store, expires, clock, log }: AtRestParts): AtRest {
  if (file === undefined) {
    return { store, start: () => undefined, stop: () => Promise.resolve(), families: [] };
  }
  const encryption = new Encryption(readEncryption(file));
  const stopping = new AbortController();
  let rewriting: Promise<void> = Promise.resolve();
  let cancel: () => void = () => undefined;
  let stopWatching: () => void = () => undefined;

  /** Result of the last pass; undefined when the configuration has changed since. */
  let stale: number | undefined;
  const onProblem = (message: string, error: unknown): void => log.error({ err: error }, message);

  const rewrite = async (): Promise<void> => {
    const { signal } = stopping;
    const rules = encryption.rules;
    try {
      const found = await rewriteStale({ store, encryption, skips: expires, signal });
      // A configuration that came meanwhile has its own look.
      if (encryption.rules !== rules) return;
      stale = found.left;
      const { written, left, unreadable, problem } = found;
      if (written > 0) log.info({ written, left }, 'values rewritten with the first key');
      // Once for all of them: a key that is missing is missing for many.
      if (problem !== undefined) onProblem(`${unreadable} stored values cannot be read`, problem);
    } catch (error) {
      if (!signal.aborted) onProblem('values could not be rewritten', error);
    }
    if (stale !== 0 && encryption.rules === rules && !signal.aborted) rewriteAfter(LOOK_AGAIN_MS);
  };
  const rewriteAfter = (ms: number): void => {
    cancel();
    cancel = clock.after(ms, () => {
      rewriting = rewriting.then(rewrite);
    });
  };
  const reload = (): void => {
    encryption.replace(readEncryption(file));
    stale = undefined;
    log.info({ file }, 'reloaded');
    rewriteAfter(REWRITE_AFTER_MS);
  };
  return {
    store: encryptedStore(store, encryption),
    start() {
      stopWatching = watchFiles({ files: [file], clock, onChange: reload, onProblem });
      rewriteAfter(REWRITE_AFTER_MS);
    },
    families: [staleFamily(() => stale)],
    async stop() {
      stopWatching();
      cancel();
      stopping.abort(new Error('shutting down'));
      await rewriting;
    },
  };
}

/** What an operator waits for before an old key goes. */
function staleFamily(stale: () => number | undefined): Family {
  const name = 'plinth_encryption_stale_values';
  const help =
    'Stored values that are not written with the first key of their rule; absent until it is known.';
  return {
    name,
    *lines() {
      const value = stale();
      if (value === undefined) return;
      yield `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;
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
