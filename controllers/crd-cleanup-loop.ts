import { objectOf } from '../resources/object-of.ts';
import { customResourceDefinitionSchema } from '../resources/apiextensions/crd-schema.ts';
import { deepClone, isObject, type JsonObject } from '../api/json.ts';
import { CRD_CLEANUP_FINALIZER, servedGroup } from '../api/naming.ts';
import { formatTime, parseTime } from '../api/time.ts';
import { crdSummaries, type CrdSummary } from '../registry/crd-summary.ts';
import type { RegistryParts } from '../registry/parts.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { withCondition, type NewCondition } from '../resources/apiextensions/crd-conditions.ts';
import {
  CRD_GROUP,
  CRD_PLURAL,
  type CrdStatus,
  type CustomResourceDefinition,
} from '../resources/apiextensions/crd-types.ts';
import { resourcePrefix } from '../storage/keys.ts';
import type { Entry } from '../watch/entry.ts';
import { attemptEach } from './attempt-each.ts';
import { deleteInstances, type InstanceDeletion } from './crd-instances.ts';
import type { Loop, LoopReport } from './loop.ts';
import type { LoopWriter, WriteOutcome } from './writer.ts';
import { CRD_PREFIX } from '../registry/prefixes.ts';

const PERIOD_MS = 30_000;
/** After a deletion that was refused. */
const RETRY_MS = 2_000;
/** The store had instances that this server has not seen yet. */
const CATCH_UP_MS = 50;
/** From then on the condition says what is being waited for. */
const PATIENCE_MS = 60_000;

/**
 * Removes what custom resource definitions leave behind: their instances first,
 * then the finalizer that holds the definition. What instances wait for, they
 * wait for here, too; the Terminating condition says so. Goes on where it, or
 * another server, has stopped.
 *
 * Source: behaviours 7.8.
 */
export function crdCleanupLoop(parts: RegistryParts, writer: LoopWriter): Loop {
  const marked = new WeakSet<Entry>();
  const refused = new WeakSet<Entry>();
  const waiting = new Set<string>();
  const { replica } = parts.reader;

  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    waiting.clear();
    const reports: CleanupReport[] = [];
    const going = [...crdSummaries(replica.collection(CRD_PREFIX))].filter(
      (crd) => crd.deletionTimestamp !== undefined && crd.hasCleanupFinalizer,
    );
    await attemptEach(going, { signal }, async (crd) => {
      // Changed before its turn: perhaps it is gone, and another one with instances of its own has come.
      if (replica.collection(CRD_PREFIX).items.get(crd.name) !== crd.entry) return;
      const report = await new Cleanup({ parts, writer, marked, refused, signal }, crd).run();
      reports.push(report);
      const { waitsFor } = report;
      if (waitsFor === undefined) return;
      waiting.add(waitsFor);
      // the last one may have gone before it was waited for: then nothing would wake the loop
      if (replica.collection(waitsFor).items.size === 0) reports.push({ again: true });
    });
    const soonest = Math.min(...reports.map(({ againAfterMs }) => againAfterMs ?? Infinity));
    return {
      summary: `${going.length} definitions are being removed`,
      again: reports.some(({ again }) => again === true),
      ...(soonest === Infinity ? {} : { againAfterMs: soonest }),
    };
  };

  return {
    name: 'crd-cleanup',
    periodMs: PERIOD_MS,
    wokenBy: [CRD_PREFIX],
    wakeOn: (wake) =>
      replica.onBatch(() => {
        for (const prefix of waiting) if (replica.collection(prefix).items.size === 0) wake();
      }),
    elected: true,
    step,
    reset: () => waiting.clear(),
  };
}

interface CleanupReport {
  /** The prefix of the instances whose end is waited for. */
  readonly waitsFor?: string;
  readonly again?: boolean;
  readonly againAfterMs?: number;
}

interface CleanupParts {
  readonly parts: RegistryParts;
  readonly writer: LoopWriter;
  /** Instances that are known to be marked for deletion. */
  readonly marked: WeakSet<Entry>;
  /** Instances whose deletion was refused. */
  readonly refused: WeakSet<Entry>;
  readonly signal: AbortSignal;
}

/** One definition in one step. */
class Cleanup {
  readonly #with: CleanupParts;
  readonly #crd: CrdSummary;
  readonly #prefix: string;

  constructor(parts: CleanupParts, crd: CrdSummary) {
    this.#with = parts;
    this.#crd = crd;
    this.#prefix = resourcePrefix({ group: crd.group, resource: crd.names.plural });
  }

  async run(): Promise<CleanupReport> {
    const { names, status } = this.#crd;
    const group = servedGroup(this.#crd.group);
    const { catalog } = this.#with.parts;
    if (catalog.isBuiltin(group, names.plural)) return this.#finish(OVERLAPPING);
    const isEstablished = status.conditions?.some(
      (condition) => condition.type === 'Established' && condition.status === 'True',
    );
    if (isEstablished !== true) return this.#finish(NEVER_ESTABLISHED);
    const resource = catalog.findStored(group, names.plural);
    if (resource === undefined) return { againAfterMs: CATCH_UP_MS };
    return this.#removeInstances(resource);
  }

  async #removeInstances(resource: ServedResource): Promise<CleanupReport> {
    const { parts, signal } = this.#with;
    if (this.#instances().size === 0) {
      const { items } = await parts.store.list({ prefix: this.#prefix, limit: 1, signal });
      if (items.length === 0) return this.#finish(COMPLETED);
      return { againAfterMs: CATCH_UP_MS };
    }
    const deletion = await deleteInstances(this.#with, resource, this.#instances());
    await this.#tell(this.#progress(deletion));
    if (deletion.failures.length > 0) return { againAfterMs: RETRY_MS };
    if (deletion.more) return { again: true };
    return deletion.isStale ? { againAfterMs: CATCH_UP_MS } : { waitsFor: this.#prefix };
  }

  #instances(): { readonly size: number; range(start: string): Iterable<Entry> } {
    return this.#with.parts.reader.replica.collection(this.#prefix).items;
  }

  #progress({ failures, more }: InstanceDeletion): NewCondition {
    const { clock } = this.#with.parts;
    if (failures.length > 0) {
      const message = `could not issue all deletes: ${failures.join('; ')}`;
      return terminating('InstanceDeletionFailed', message);
    }
    const since = parseTime(this.#crd.deletionTimestamp ?? '') ?? clock.now();
    if (more || clock.now() - since < PATIENCE_MS) {
      return terminating('InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    }
    return terminating('InstanceDeletionCheck', this.#remaining());
  }

  /** How many instances are left and what holds them, by some of them. */
  #remaining(): string {
    const held = new Map<string, number>();
    let looked = 0;
    for (const entry of this.#instances().range('')) {
      if (++looked > MAX_LOOKED_AT) break;
      if (entry.corrupt) continue;
      for (const name of finalizersOf({ metadata: entry.metadata() }))
        held.set(name, (held.get(name) ?? 0) + 1);
    }
    const finalizers = [...held].map(([name, count]) => `${name} in ${count} of them`);
    const what =
      finalizers.length === 0 ? '' : `; they wait for the finalizers ${finalizers.join(', ')}`;
    return `could not confirm zero CustomResources remaining: ${this.#instances().size} are left${what}`;
  }

  async #tell(condition: NewCondition): Promise<void> {
    await this.#write((crd, status) => {
      crd.status = withCondition(status, condition, this.#now());
    });
  }

  async #finish(condition: NewCondition): Promise<CleanupReport> {
    const { outcome } = await this.#write((crd, status) => {
      crd.status = withCondition(status, condition, this.#now());
      const { metadata } = crd;
      metadata.finalizers = (metadata.finalizers ?? []).filter(
        (name) => name !== CRD_CLEANUP_FINALIZER,
      );
    });
    return outcome === 'stale' ? { againAfterMs: CATCH_UP_MS } : {};
  }

  #now(): string {
    return formatTime(this.#with.parts.clock.now());
  }

  async #write(
    edit: (crd: CustomResourceDefinition, status: CrdStatus) => void,
  ): Promise<WriteOutcome> {
    const { parts, writer, signal } = this.#with;
    const resource = parts.catalog.find(CRD_GROUP, 'v1', CRD_PLURAL);
    if (resource === undefined) throw new Error('the kind of definitions is missing');
    const target = { resource, namespace: '', name: this.#crd.name };
    const status = deepClone(this.#crd.status);
    return writer.change(
      target,
      this.#crd,
      (object) => edit(objectOf(customResourceDefinitionSchema, object), status),
      { subresource: 'status', signal },
    );
  }
}

const MAX_LOOKED_AT = 100;

function finalizersOf({ metadata }: JsonObject): string[] {
  const finalizers = isObject(metadata) ? metadata['finalizers'] : undefined;
  return Array.isArray(finalizers) ? finalizers.filter((name) => typeof name === 'string') : [];
}

function terminating(reason: string, message: string): NewCondition {
  return { type: 'Terminating', status: 'True', reason, message };
}

function ended(reason: string, message: string): NewCondition {
  return { type: 'Terminating', status: 'False', reason, message };
}

const COMPLETED = ended('InstanceDeletionCompleted', 'removed all instances');
const NEVER_ESTABLISHED = ended('NeverEstablished', 'resource was never established');
const OVERLAPPING = ended(
  'OverlappingBuiltInResource',
  'instances overlap with built-in resources in storage',
);
