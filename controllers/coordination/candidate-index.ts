import type { Replica } from '../../watch/replica.ts';
import { relativeKey } from '../../storage/keys.ts';
import type { Entry } from '../../watch/entry.ts';
import { Follower } from '../../watch/follower.ts';
import { LEASE_CANDIDATES_PREFIX } from '../kinds.ts';
import { candidateOf, type Candidate } from './candidate.ts';

/** Candidates by the Lease that they stand for: `<namespace>/<name>`. Kept up change by change. */
export class CandidateIndex {
  readonly #follower: Follower;
  readonly #byLease = new Map<string, Map<string, Candidate>>();
  readonly #leaseOf = new Map<string, string>();

  constructor(replica: Replica) {
    this.#follower = new Follower(replica, LEASE_CANDIDATES_PREFIX);
  }

  leases(): IterableIterator<string> {
    return this.#byLease.keys();
  }

  has(lease: string): boolean {
    return this.#byLease.has(lease);
  }

  of(lease: string): Candidate[] {
    return [...(this.#byLease.get(lease)?.values() ?? [])];
  }

  /** Takes changes in, and tells which Leases they concern. */
  catchUp(concerns: (lease: string) => void): void {
    const changes = this.#follower.changes();
    if (changes.all) {
      for (const key of [...this.#leaseOf.keys()]) this.#remove(key, concerns);
      for (const entry of changes.items.range('')) this.#put(entry, concerns);
      return;
    }
    for (const { type, entry } of changes.events) {
      if (type === 'DELETED') this.#remove(entry.key, concerns);
      else this.#put(entry, concerns);
    }
  }

  #put(entry: Entry, concerns: (lease: string) => void): void {
    this.#remove(entry.key, concerns);
    const candidate = candidateOf(entry);
    if (candidate === undefined || candidate.leaseName === '') return;
    const lease = relativeKey(candidate.namespace, candidate.leaseName);
    const candidates = this.#byLease.get(lease) ?? new Map<string, Candidate>();
    candidates.set(entry.key, candidate);
    this.#byLease.set(lease, candidates);
    this.#leaseOf.set(entry.key, lease);
    concerns(lease);
  }

  #remove(key: string, concerns: (lease: string) => void): void {
    const lease = this.#leaseOf.get(key);
    if (lease === undefined) return;
    this.#leaseOf.delete(key);
    const candidates = this.#byLease.get(lease);
    candidates?.delete(key);
    if (candidates?.size === 0) this.#byLease.delete(lease);
    concerns(lease);
  }
}
