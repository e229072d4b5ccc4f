import { objectOf } from '../../resources/object-of.ts';
import { serviceCidrSchema } from '../../resources/networking/service-cidr.ts';
import { getPath } from '../../api/json.ts';
import { DEFAULT_SERVICE_CIDR, SERVICE_CIDR_FINALIZER } from '../../api/naming.ts';
import type { ApiObject } from '../../api/object.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { Target } from '../../registry/served-resource.ts';
import { attemptEach } from '../attempt-each.ts';
import { withFindings, type Finding } from '../conditions.ts';
import { Follower } from '../../watch/follower.ts';
import { IP_ADDRESSES_PREFIX, SERVICE_CIDRS_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { LoopWriter, seenOf, type WriteOutcome } from '../writer.ts';
import { addressThatNeeds, rangesOf, type Ranges } from './ranges.ts';

const PERIOD_MS = 60_000;
/** How long allocators have to notice that a range is being deleted. Source: behaviours 9.10. */
const GRACE_MS = 10_000;
/** A client that creates an object often changes it at once; a write in between would give it a conflict. */
const SETTLE_MS = 2_000;
/** The state that was written last has not reached this server yet. */
const CATCH_UP_MS = 100;

const READY: Finding = {
  type: 'Ready',
  status: 'True',
  reason: 'ServiceCIDRReady',
  message: 'Service CIDR is ready',
};

/**
 * Makes the ServiceCIDR of the server's own configuration, says of each that it
 * is ready, and holds those back from deletion that addresses still need.
 */
export class ServiceCidrLoop implements Loop {
  readonly name = 'service-cidrs';
  readonly periodMs = PERIOD_MS;
  readonly wokenBy = [SERVICE_CIDRS_PREFIX];
  readonly elected = true;
  readonly restMs = 100;
  readonly #parts: RegistryParts;
  readonly #writer: LoopWriter;
  readonly #configured: readonly string[];
  #addresses: Follower;
  #isWaiting = false;

  /** `configured`: ranges of the default object. */
  constructor(parts: RegistryParts, configured: readonly string[]) {
    this.#parts = parts;
    this.#writer = new LoopWriter(parts);
    this.#configured = configured;
    this.#addresses = new Follower(parts.reader.replica, IP_ADDRESSES_PREFIX);
  }

  reset(): void {
    this.#addresses = new Follower(this.#parts.reader.replica, IP_ADDRESSES_PREFIX);
    this.#isWaiting = false;
  }

  /** Addresses matter only while a range waits for them. */
  wakeOn(wake: () => void): () => void {
    return this.#parts.reader.replica.onBatch(() => {
      if (this.#isWaiting && this.#addresses.behind) wake();
    });
  }

  async step(signal: AbortSignal): Promise<LoopReport> {
    this.#addresses.changes();
    const all = this.#all();
    const isMissing = all.every(({ entry }) => entry.name !== DEFAULT_SERVICE_CIDR);
    if (isMissing) await this.#createDefault(signal);
    let againAfterMs = PERIOD_MS;
    let blocked = 0;
    try {
      await attemptEach(all, { signal }, async (ranges) => {
        const wait = await this.#attend(ranges, signal);
        if (wait === 'blocked') blocked++;
        else againAfterMs = Math.min(againAfterMs, wait);
      });
    } finally {
      this.#isWaiting = blocked > 0;
    }
    return { summary: `${all.length} ranges, ${blocked} held back by addresses`, againAfterMs };
  }

  /** Returns after how long it is to be looked at again, or that an address holds it back. */
  async #attend(ranges: Ranges, signal: AbortSignal): Promise<number | 'blocked'> {
    if (ranges.deletedAt !== undefined) return this.#letGo(ranges, signal);
    const unsettledMs = ranges.createdAt + SETTLE_MS - this.#parts.clock.now();
    if (unsettledMs > 0) return Math.min(unsettledMs, SETTLE_MS);
    await this.#keep(ranges, signal);
    return PERIOD_MS;
  }

  #all(): Ranges[] {
    const { items } = this.#parts.reader.replica.collection(SERVICE_CIDRS_PREFIX);
    return [...items.range('')].map(rangesOf).filter((ranges) => ranges !== undefined);
  }

  async #createDefault(signal: AbortSignal): Promise<void> {
    if (this.#configured.length === 0) return;
    const value = {
      metadata: { name: DEFAULT_SERVICE_CIDR },
      spec: { cidrs: [...this.#configured] },
    };
    await this.#writer.create(this.#target('').resource, value, signal);
  }

  /** Finalizer first: what is said to be ready must not vanish under an address. */
  async #keep(ranges: Ranges, signal: AbortSignal): Promise<void> {
    const guarded = await this.#guard(ranges, signal);
    if (guarded !== undefined) await this.#tell(guarded, READY, signal);
  }

  /** The object with its finalizer; undefined: others have changed it, which brings it up again. */
  async #guard(ranges: Ranges, signal: AbortSignal): Promise<Ranges | undefined> {
    const { entry, finalizers } = ranges;
    if (finalizers.includes(SERVICE_CIDR_FINALIZER)) return ranges;
    const edit = (object: ApiObject): void => {
      object.metadata.finalizers = [...finalizers, SERVICE_CIDR_FINALIZER];
    };
    const target = this.#target(entry.name);
    const written = await this.#writer.change(target, seenOf(entry), edit, { signal });
    return written.outcome === 'done' && written.entry ? rangesOf(written.entry) : undefined;
  }

  async #letGo(ranges: Ranges, signal: AbortSignal): Promise<number | 'blocked'> {
    const { entry, finalizers, deletedAt = 0 } = ranges;
    if (!finalizers.includes(SERVICE_CIDR_FINALIZER)) return PERIOD_MS;
    const { clock, reader } = this.#parts;
    const { caughtUp } = await reader.freshness.fresh({ signal });
    if (!caughtUp) return CATCH_UP_MS;
    const others = this.#all().filter(
      (other) => other.entry.name !== entry.name && other.deletedAt === undefined,
    );
    const addresses = reader.replica.collection(IP_ADDRESSES_PREFIX).items.snapshot().range('');
    const needed = await addressThatNeeds(ranges, others, addresses, signal);
    if (needed !== undefined) {
      await this.#tell(ranges, terminating(needed), signal);
      return 'blocked';
    }
    const wait = deletedAt + GRACE_MS - clock.now();
    if (wait > 0) return wait;
    const left = finalizers.filter((name) => name !== SERVICE_CIDR_FINALIZER);
    await this.#writer.change(
      this.#target(entry.name),
      seenOf(entry),
      ({ metadata }) => {
        if (left.length === 0) delete metadata.finalizers;
        else metadata.finalizers = left;
      },
      { signal },
    );
    return PERIOD_MS;
  }

  async #tell(
    { entry }: Ranges,
    finding: Finding,
    signal: AbortSignal,
  ): Promise<WriteOutcome | undefined> {
    const present = getPath(entry.object(), 'status', 'conditions');
    const conditions = withFindings(present, [finding], this.#parts.clock.now());
    if (conditions === undefined) return undefined;
    return this.#writer.change(
      this.#target(entry.name),
      seenOf(entry),
      (object) => {
        object.status = { ...objectOf(serviceCidrSchema, object).status, conditions };
      },
      { subresource: 'status', signal },
    );
  }

  #target(name: string): Target {
    const resource = this.#parts.catalog.findStored('networking.cluster.io', 'servicecidrs');
    if (resource === undefined) throw new Error('the kind of service ranges is missing');
    return { resource, namespace: '', name };
  }
}

function terminating(address: string): Finding {
  return {
    type: 'Ready',
    status: 'False',
    reason: 'Terminating',
    message: `There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR; one of them is ${address}`,
  };
}
