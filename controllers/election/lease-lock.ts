import type { RegistryParts } from '../../registry/parts.ts';
import type { Target } from '../../registry/served-resource.ts';
import { relativeKey } from '../../storage/keys.ts';
import { Entry } from '../../watch/entry.ts';
import { LoopWriter, seenOf } from '../writer.ts';
import { leaseSpec, setHolder } from './lease-record.ts';

export interface LockName {
  readonly namespace: string;
  readonly name: string;
}

/** A Lease that servers compete for, and the conditional writes that take, keep and release it. */
export class LeaseLock {
  readonly prefix: string;
  readonly #key: string;
  readonly #parts: RegistryParts;
  readonly #target: Target;
  readonly #writer: LoopWriter;

  constructor(parts: RegistryParts, { namespace, name }: LockName) {
    const resource = parts.catalog.find('coordination.cluster.io', 'v1', 'leases');
    if (resource === undefined) throw new Error('the lease kind is missing');
    this.#parts = parts;
    this.#target = { resource, namespace, name };
    this.#writer = new LoopWriter(parts);
    this.prefix = resource.prefix;
    this.#key = relativeKey(namespace, name);
  }

  /** From the replica: quick, and perhaps behind. */
  cached(): Entry | undefined {
    return this.#parts.reader.replica.collection(this.prefix).items.get(this.#key);
  }

  /** From the store itself. */
  async live(signal: AbortSignal): Promise<Entry | undefined> {
    const { item } = await this.#parts.store.get(this.prefix + this.#key, { signal });
    return item && Entry.fromStored(this.#key, item.value, item.revision);
  }

  /** Makes `holder` the holder until `durationSeconds` from now; an empty holder frees the lease. Undefined: the lease has changed since it was seen. */
  async take(
    seen: Entry | undefined,
    holder: string,
    durationSeconds: number,
    signal: AbortSignal,
  ): Promise<Entry | undefined> {
    const term = { holder, durationSeconds, now: this.#parts.clock.now() };
    const { namespace, name, resource } = this.#target;
    if (seen === undefined || seen.corrupt) {
      // A lease that cannot be read has no holder.
      const isGone = seen === undefined || (await this.#writer.discard(resource, seen, signal));
      if (!isGone) return undefined;
      const spec = {};
      setHolder(spec, term);
      const value = { metadata: { namespace, name }, spec };
      return this.#writer.create(resource, value, signal);
    }
    const edit = (lease: Parameters<typeof leaseSpec>[0]): void =>
      setHolder(leaseSpec(lease), term);
    const result = await this.#writer.change(this.#target, seenOf(seen), edit, { signal });
    return result.outcome === 'done' ? result.entry : undefined;
  }
}
