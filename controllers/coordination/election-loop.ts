import { objectOf } from '../../resources/object-of.ts';
import { leaseCandidateSchema } from '../../resources/coordination/lease-candidate.ts';
import { ELECTED_BY_ANNOTATION } from '../../api/naming.ts';
import { microTimeOf } from '../../api/time.ts';
import type { ApiObject } from '../../api/object.ts';
import type { JsonObject } from '../../api/json.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { OLDEST_EMULATION_VERSION } from '../../resources/coordination/strategy.ts';
import type { Entry } from '../../watch/entry.ts';
import { Follower } from '../../watch/follower.ts';
import { leaseRecord, leaseSpec, setHolder } from '../election/lease-record.ts';
import { electedOccurrence, leaseRegarding, lostOccurrence } from '../events/elections.ts';
import type { EventRecorder } from '../events/recorder.ts';
import { LEASE_CANDIDATES_PREFIX, LEASES_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { LoopWriter, seenOf } from '../writer.ts';
import type { Candidate } from './candidate.ts';
import { CandidateIndex } from './candidate-index.ts';
import { verdictOn, type LeaseChange } from './verdict.ts';

/** Leases that one step looks at. */
const MAX_LEASES = 200;
/** A Lease that could not be written is looked at again after so long. */
const RETRY_MS = 1_000;
/** What an elected holder has until it must have renewed itself. */
const HOLD_SECONDS = 5;
const ELECTED_BY = 'plinth-election';
const GROUP = 'coordination.cluster.io';

/**
 * Coordinated leader election: of those who stand for a Lease by a
 * LeaseCandidate, elects the one that their strategy says, and asks a holder to
 * yield when a better one has come. Source: behaviours 9.9.
 */
export class ElectionLoop implements Loop {
  readonly name = 'elections';
  readonly periodMs = 60_000;
  readonly wokenBy = [LEASE_CANDIDATES_PREFIX, LEASES_PREFIX];
  readonly elected = true;
  readonly restMs = 50;
  readonly #parts: RegistryParts;
  readonly #recorder: EventRecorder | undefined;
  readonly #writer: LoopWriter;
  #candidates: CandidateIndex;
  #leases: Follower;
  /** When each contested Lease is to be looked at again; monotonic. */
  readonly #due = new Map<string, number>();
  /** Why no candidate can be elected for a Lease. */
  readonly #problems = new Map<string, string>();

  constructor(parts: RegistryParts, recorder?: EventRecorder) {
    this.#parts = parts;
    this.#recorder = recorder;
    this.#writer = new LoopWriter(parts);
    const { replica } = parts.reader;
    this.#candidates = new CandidateIndex(replica);
    this.#leases = new Follower(replica, LEASES_PREFIX);
  }

  reset(): void {
    const { replica } = this.#parts.reader;
    this.#candidates = new CandidateIndex(replica);
    this.#leases = new Follower(replica, LEASES_PREFIX);
    this.#due.clear();
    this.#problems.clear();
  }

  async step(signal: AbortSignal): Promise<LoopReport> {
    const { clock } = this.#parts;
    this.#catchUp();
    const now = clock.monotonic();
    const due = [...this.#due].filter(([, at]) => at <= now).map(([lease]) => lease);
    let written = 0;
    for (const lease of due.slice(0, MAX_LEASES)) {
      signal.throwIfAborted();
      written += await this.#attend(lease, signal);
    }
    const problems = [...this.#problems].map(([lease, why]) => `; ${lease}: ${why}`);
    let next = Infinity;
    for (const at of this.#due.values()) next = Math.min(next, at - clock.monotonic());
    return {
      summary: `${this.#due.size} leases are contested, ${written} objects written${problems.slice(0, 10).join('')}`,
      ...(due.length > MAX_LEASES ? { again: true } : { againAfterMs: Math.max(0, next) }),
    };
  }

  #catchUp(): void {
    const now = this.#parts.clock.monotonic();
    this.#candidates.catchUp((lease) => this.#due.set(lease, now));
    const changes = this.#leases.changes();
    if (changes.all) for (const lease of this.#candidates.leases()) this.#due.set(lease, now);
    else {
      for (const { entry } of changes.events) {
        if (this.#candidates.has(entry.key)) this.#due.set(entry.key, now);
      }
    }
  }

  /** Returns how many objects were written. What cannot be written is tried again, and keeps no other Lease waiting. */
  async #attend(key: string, signal: AbortSignal): Promise<number> {
    const { clock } = this.#parts;
    const candidates = this.#candidates.of(key);
    const entry = this.#lease(key);
    if (candidates.length === 0 || entry?.corrupt === true) {
      this.#due.delete(key);
      this.#problems.delete(key);
      return 0;
    }
    const record = entry && leaseRecord(entry.object());
    const { pings, change, problem, againAfterMs } = verdictOn(candidates, record, clock.now());
    if (problem === undefined) this.#problems.delete(key);
    else this.#problems.set(key, problem);
    this.#due.set(key, clock.monotonic() + againAfterMs);
    try {
      for (const candidate of pings) await this.#ping(candidate, signal);
      if (change !== undefined) await this.#write(key, entry, change, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#problems.set(key, error instanceof Error ? error.message : String(error));
      this.#due.set(key, clock.monotonic() + RETRY_MS);
      return 0;
    }
    return pings.length + (change === undefined ? 0 : 1);
  }

  async #ping(candidate: Candidate, signal: AbortSignal): Promise<void> {
    const { namespace, name } = candidate;
    const target = { resource: this.#resource('leasecandidates'), namespace, name };
    const edit = (object: ApiObject): void => {
      objectOf(leaseCandidateSchema, object).spec.pingTime = microTimeOf(this.#parts.clock.now());
    };
    await this.#writer.change(target, candidate, edit, { signal });
  }

  /** What others have done to the Lease meanwhile brings it up again. */
  async #write(
    key: string,
    entry: Entry | undefined,
    change: LeaseChange,
    signal: AbortSignal,
  ): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    const resource = this.#resource('leases');
    if (entry === undefined) {
      const spec: JsonObject = {};
      this.#apply(spec, change);
      const annotations = { [ELECTED_BY_ANNOTATION]: ELECTED_BY };
      const lease = { metadata: { namespace, name, annotations }, spec };
      this.#tell(await this.#writer.create(resource, lease, signal), change, '');
      return;
    }
    const { holder } = leaseRecord(entry.object());
    const edit = (lease: ApiObject): void => {
      const { metadata } = lease;
      if (change.set === 'holder') {
        metadata.annotations = { ...metadata.annotations, [ELECTED_BY_ANNOTATION]: ELECTED_BY };
      }
      this.#apply(leaseSpec(lease), change);
    };
    const target = { resource, namespace, name };
    const written = await this.#writer.change(target, seenOf(entry), edit, { signal });
    if (written.outcome === 'done') this.#tell(written.entry, change, holder);
  }

  #tell(lease: Entry | undefined, change: LeaseChange, before: string): void {
    if (lease === undefined || change.set !== 'holder') return;
    const regarding = leaseRegarding(lease);
    this.#recorder?.record(electedOccurrence(regarding, change.holder));
    if (before === '' || before === change.holder) return;
    this.#recorder?.record(lostOccurrence(regarding, before));
  }

  #apply(spec: JsonObject, change: LeaseChange): void {
    spec.strategy = change.set === 'strategy' ? change.strategy : OLDEST_EMULATION_VERSION;
    switch (change.set) {
      case 'strategy':
        return;
      case 'holder':
        setHolder(spec, {
          holder: change.holder,
          durationSeconds: HOLD_SECONDS,
          now: this.#parts.clock.now(),
        });
        delete spec.preferredHolder;
        return;
      case 'preferred':
        if (change.preferred === undefined) delete spec.preferredHolder;
        else spec.preferredHolder = change.preferred;
    }
  }

  #lease(key: string): Entry | undefined {
    return this.#parts.reader.replica.collection(LEASES_PREFIX).items.get(key);
  }

  #resource(plural: string): ServedResource {
    const resource = this.#parts.catalog.findStored(GROUP, plural);
    if (resource === undefined) throw new Error(`the kind of ${plural} is missing`);
    return resource;
  }
}
