import { createHash } from 'node:crypto';
import { SERVER_IDENTITY_LABEL, SYSTEM_NAMESPACE } from '../../api/naming.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { Target } from '../../registry/served-resource.ts';
import { relativeKey } from '../../storage/keys.ts';
import type { Entry } from '../../watch/entry.ts';
import { leaseSpec, setHolder } from '../election/lease-record.ts';
import { LEASES_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { LoopWriter, seenOf } from '../writer.ts';

/** Source: behaviours 9.6. */
const RENEW_MS = 10_000;
const DURATION_SECONDS = 3_600;
/** Value of the label that marks identity Leases. */
export const SERVER_KIND = 'plinth';

interface ServerIdentity {
  /** Names this process among all servers, and no later one. */
  readonly holder: string;
  /** Where it serves, the same after a restart; known when the loop runs. */
  readonly address: () => string;
}

/**
 * Keeps the Lease by which others see that this server lives. It is named after
 * the server's address: a restarted server goes on with the Lease it had.
 */
export class IdentityLoop implements Loop {
  readonly name = 'identity';
  readonly periodMs = RENEW_MS;
  readonly wokenBy = [];
  readonly elected = false;
  readonly #parts: RegistryParts;
  readonly #writer: LoopWriter;
  readonly #identity: ServerIdentity;

  constructor(parts: RegistryParts, identity: ServerIdentity) {
    this.#parts = parts;
    this.#writer = new LoopWriter(parts);
    this.#identity = identity;
  }

  async step(signal: AbortSignal): Promise<LoopReport> {
    const target = this.#target();
    const entry = this.#cached(target.name);
    if (entry?.corrupt === true) await this.#writer.discard(target.resource, entry, signal);
    const done =
      entry === undefined || entry.corrupt
        ? await this.#create(target, signal)
        : await this.#renew(target, entry, signal);
    // what was in the way has not reached this server yet
    return done
      ? { summary: `renewed ${target.name}` }
      : { summary: `${target.name} has changed meanwhile`, againAfterMs: 1_000 };
  }

  async #create({ resource, name }: Target, signal: AbortSignal): Promise<boolean> {
    const spec = {};
    setHolder(spec, this.#term());
    const metadata = {
      namespace: SYSTEM_NAMESPACE,
      name,
      labels: { [SERVER_IDENTITY_LABEL]: SERVER_KIND },
    };
    return (await this.#writer.create(resource, { metadata, spec }, signal)) !== undefined;
  }

  async #renew(target: Target, entry: Entry, signal: AbortSignal): Promise<boolean> {
    const { outcome } = await this.#writer.change(
      target,
      seenOf(entry),
      (lease) => {
        lease.metadata.labels = { ...lease.metadata.labels, [SERVER_IDENTITY_LABEL]: SERVER_KIND };
        setHolder(leaseSpec(lease), this.#term());
      },
      { signal },
    );
    return outcome === 'done';
  }

  #term(): { holder: string; durationSeconds: number; now: number } {
    const now = this.#parts.clock.now();
    return { holder: this.#identity.holder, durationSeconds: DURATION_SECONDS, now };
  }

  #cached(name: string): Entry | undefined {
    const key = relativeKey(SYSTEM_NAMESPACE, name);
    return this.#parts.reader.replica.collection(LEASES_PREFIX).items.get(key);
  }

  #target(): Target {
    const resource = this.#parts.catalog.find('coordination.cluster.io', 'v1', 'leases');
    if (resource === undefined) throw new Error('the lease kind is missing');
    const hash = createHash('sha256').update(this.#identity.address()).digest('hex').slice(0, 26);
    return { resource, namespace: SYSTEM_NAMESPACE, name: `apiserver-${hash}` };
  }
}
