import type { Revision } from '../../api/revision.ts';
import { StoreError } from '../errors.ts';
import type {
  BatchOperation,
  Store,
  StoredItem,
  StoreEvent,
  WatchBatch,
  WatchOptions,
} from '../interface.ts';
import type { Encryption } from './value-cipher.ts';

/**
 * A store whose values cannot be read from its disk alone: the registry sees
 * plain values, the inner store sees them encrypted. Keys,
 * revisions and outcomes stay as they are.
 */
export function encryptedStore(store: Store, encryption: Encryption): Store {
  const item = (stored: StoredItem): StoredItem => decrypted(encryption, stored);
  /** What stands at the key instead, when a condition does not hold. */
  const outcome = <T extends object>(result: T): T => {
    const { current } = result as { current?: StoredItem };
    return current === undefined ? result : { ...result, current: item(current) };
  };
  const operation = (op: BatchOperation): BatchOperation =>
    op.op === 'delete' ? op : { ...op, value: encryption.encrypt(op.key, op.value) };
  return {
    maxValueBytes: store.maxValueBytes,
    async get(key, options) {
      const result = await store.get(key, options);
      return result.item === undefined ? result : { ...result, item: item(result.item) };
    },
    async list({ slabBytes: _finished, ...options }) {
      const result = await store.list(options);
      return options.keysOnly === true ? result : { ...result, items: result.items.map(item) };
    },
    async create(key, value, options = {}) {
      const updates = options.updates?.map((update) => ({
        ...update,
        value: encryption.encrypt(update.key, update.value),
      }));
      const how = updates === undefined ? options : { ...options, updates };
      return outcome(await store.create(key, encryption.encrypt(key, value), how));
    },
    update: async (key, value, expected, options) =>
      outcome(await store.update(key, encryption.encrypt(key, value), expected, options)),
    delete: async (key, expected, options) => outcome(await store.delete(key, expected, options)),
    batch: async (operations, options) =>
      outcome(await store.batch(operations.map(operation), options)),
    watch: (options) => new DecryptedWatch(store, options, encryption),
    currentRevision: (options) => store.currentRevision(options),
    newestRevision: () => store.newestRevision?.(),
    requestProgress: () => store.requestProgress(),
    compact: (revision, options) => store.compact(revision, options),
    checkHealth: (options) => store.checkHealth(options),
    describe: (options) => store.describe(options),
    close: () => store.close(),
  };
}

/**
 * An old value whose key is gone counts as compacted history: clients list
 * again. A value that is still the newest one of its object is damaged.
 */
async function lossOf(store: Store, event: StoreEvent, cause: unknown): Promise<unknown> {
  try {
    const { item } = await store.get(event.key);
    if (item?.revision === event.revision) return cause;
  } catch (error) {
    return error;
  }
  return new StoreError('compacted', 'a value in the history can no longer be decrypted', {
    cause,
    compactRevision: event.revision,
  });
}

function decryptedEvent(encryption: Encryption, event: StoreEvent): StoreEvent {
  const { previous: stored, ...rest } = event;
  const previous = stored === undefined ? undefined : decryptedPast(encryption, stored);
  const known = previous === undefined ? {} : { previous };
  return rest.type === 'put'
    ? { ...rest, value: encryption.decrypt(event.key, rest.value), ...known }
    : { ...rest, ...known };
}

/** What was there before may have gone with its key, as it may with a compaction. */
function decryptedPast(encryption: Encryption, item: StoredItem): StoredItem | undefined {
  try {
    return decrypted(encryption, item);
  } catch {
    return undefined;
  }
}

function decrypted(encryption: Encryption, item: StoredItem): StoredItem {
  // Damage that the store has found: there is nothing to decrypt, and it harms no other object.
  if (item.value.length === 0) return item;
  const value = encryption.decrypt(item.key, item.value);
  return value === item.value ? item : { ...item, value };
}

/** No generator: one that waits for its next batch would not notice that it is ended. */
class DecryptedWatch implements AsyncIterableIterator<WatchBatch> {
  readonly #store: Store;
  readonly #encryption: Encryption;
  readonly #batches: AsyncIterator<WatchBatch>;
  /** Thrown instead of the next batch. */
  #failure: { readonly error: unknown } | undefined;

  constructor(store: Store, options: WatchOptions, encryption: Encryption) {
    this.#store = store;
    this.#encryption = encryption;
    this.#batches = store.watch(options)[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<WatchBatch>> {
    if (this.#failure !== undefined) {
      await this.return();
      throw this.#failure.error;
    }
    const result = await this.#batches.next();
    if (result.done === true) return result;
    return this.#decrypted(result.value);
  }

  async return(): Promise<IteratorResult<WatchBatch>> {
    await this.#batches.return?.();
    return { done: true, value: undefined };
  }

  async #decrypted(batch: WatchBatch): Promise<IteratorResult<WatchBatch>> {
    const events: StoreEvent[] = [];
    for (const event of batch.events) {
      try {
        events.push(decryptedEvent(this.#encryption, event));
      } catch (error) {
        this.#failure = { error: await lossOf(this.#store, event, error) };
        // What came before it is complete and can be told.
        const before = events.filter(({ revision }) => revision < event.revision);
        if (before.length === 0) return this.next();
        const revision = (event.revision - 1n) as Revision;
        return { done: false, value: { revision, events: before } };
      }
    }
    return { done: false, value: { ...batch, events } };
  }
}
