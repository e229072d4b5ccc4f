import type { Clock } from '../../api/clock.ts';
import type { Cluster } from './cluster.ts';

/**
 * A lease is shared by keys that want the same time to live and are written
 * within this part of it, so that a registry with 100,000 short-lived keys needs
 * some leases only. Each key then lives up to this much longer, never shorter.
 */
const SHARED_PART = 0.05;
const MAX_SHARED_SECONDS = 60;
/** etcd deletes all keys of a lease in one transaction: keep that small. */
const MAX_KEYS = 1_000;
/** Different times to live whose leases are remembered. */
const MAX_LEASES = 64;
const GRANT_TIMEOUT_MS = 5_000;

interface SharedLease {
  readonly id: bigint;
  /** Monotonic; what is attached after this would live too short. */
  readonly reusableUntil: number;
  keys: number;
}

/** Leases that carry the time to live of keys. */
export class LeasePool {
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #leases = new Map<number, SharedLease>();
  readonly #grants = new Map<number, Promise<SharedLease>>();

  constructor(cluster: Cluster, clock: Clock) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  /**
   * Id of a lease that ends at least `ttlSeconds` from now.
   *
   * @throws EtcdCallError
   */
  async lease(ttlSeconds: number): Promise<bigint> {
    const ttl = Math.max(1, Math.ceil(ttlSeconds));
    let shared = this.#reusable(ttl);
    while (shared === undefined) {
      let grant = this.#grants.get(ttl);
      if (grant === undefined) {
        grant = this.#grant(ttl).finally(() => this.#grants.delete(ttl));
        this.#grants.set(ttl, grant);
      }
      await grant;
      shared = this.#reusable(ttl);
    }
    shared.keys++;
    return shared.id;
  }

  /** etcd no longer knows the lease. */
  forget(id: bigint): void {
    for (const [ttl, shared] of this.#leases) if (shared.id === id) this.#leases.delete(ttl);
  }

  #reusable(ttl: number): SharedLease | undefined {
    const shared = this.#leases.get(ttl);
    if (shared === undefined) return undefined;
    const usable = shared.keys < MAX_KEYS && this.#clock.monotonic() <= shared.reusableUntil;
    return usable ? shared : undefined;
  }

  async #grant(ttl: number): Promise<SharedLease> {
    const sharedSeconds = Math.min(MAX_SHARED_SECONDS, Math.max(1, Math.ceil(ttl * SHARED_PART)));
    // Time runs from before the request: the lease begins somewhen after that.
    const askedAt = this.#clock.monotonic();
    const { id } = await this.#cluster.read(
      'leaseGrant',
      { ttlSeconds: ttl + sharedSeconds },
      { timeoutMs: GRANT_TIMEOUT_MS },
    );
    const shared = { id, reusableUntil: askedAt + sharedSeconds * 1_000, keys: 0 };
    this.#leases.delete(ttl);
    this.#leases.set(ttl, shared);
    const [oldest] = this.#leases.keys();
    if (this.#leases.size > MAX_LEASES && oldest !== undefined) this.#leases.delete(oldest);
    return shared;
  }
}
