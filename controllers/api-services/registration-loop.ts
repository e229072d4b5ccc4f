import type { ApiObject } from '../../api/object.ts';
import { deepEqual, type JsonObject } from '../../api/json.ts';
import { AUTOMANAGED_LABEL } from '../../api/naming.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import {
  API_SERVICE_GROUP,
  API_SERVICE_PLURAL,
} from '../../resources/apiregistration/api-service-types.ts';
import type { Entry } from '../../watch/entry.ts';
import { attemptEach } from '../attempt-each.ts';
import { API_SERVICES_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { LoopWriter, seenOf } from '../writer.ts';

/** Changes wake the loop; the period is a safety net for changes that do not. */
const PERIOD_MS = 60_000;
const MAX_WRITES = 200;
/** Definitions come in bursts, and each may wake the loop: the longer a look takes, the longer it rests, in proportion. */
const MIN_REST_MS = 10;
const MAX_REST_MS = 100;
const REST_PER_LOOK = 10;
const WRITERS = 8;

/** How an APIService is kept, as its label says: once when a server begins, or for as long as its group is served. */
type Management = 'onstart' | 'true';

interface Wanted {
  readonly name: string;
  readonly management: Management;
  readonly spec: JsonObject;
}

/** Default priorities of a group and version. */
type PriorityOf = (group: string) => {
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
};

/**
 * Registers every version of every group that this installation serves itself.
 * Those of custom resources come and go with them; those of built-in groups are
 * made at the start, and who deletes or changes one later has his way. What
 * people have made under such a name is left alone. Source: behaviours 7.23.
 */
export class RegistrationLoop implements Loop {
  readonly name = 'api-service-registration';
  readonly periodMs = PERIOD_MS;
  readonly wokenBy = [API_SERVICES_PREFIX];
  readonly elected = true;
  readonly #parts: RegistryParts;
  readonly #priorityOf: PriorityOf;
  readonly #writer: LoopWriter;
  /** Names that have been right once in this term. */
  readonly #settled = new Set<string>();
  /** Looked at and found to be right; what is right does not change within a process. */
  readonly #right = new WeakSet<Entry>();

  constructor(parts: RegistryParts, priorityOf: PriorityOf) {
    this.#parts = parts;
    this.#priorityOf = priorityOf;
    this.#writer = new LoopWriter(parts);
  }

  readonly wakeOn = (wake: () => void): (() => void) => this.#parts.catalog.onChange(wake);

  readonly reset = (): void => this.#settled.clear();

  async step(signal: AbortSignal): Promise<LoopReport> {
    const { catalog, reader, clock } = this.#parts;
    const beganAt = clock.monotonic();
    const resource = catalog.findStored(API_SERVICE_GROUP, API_SERVICE_PLURAL);
    if (resource === undefined) throw new Error('the kind of APIServices is missing');
    const { items } = reader.replica.collection(API_SERVICES_PREFIX);
    const wanted = this.#wanted();
    const writes: (() => Promise<boolean>)[] = [];
    for (const want of wanted.values()) {
      const write = this.#keep(resource, want, items.get(want.name), signal);
      if (write !== undefined) writes.push(write);
    }
    for (const entry of items.range('')) {
      if (entry.corrupt || wanted.has(entry.name)) continue;
      const write = this.#drop(resource, entry, signal);
      if (write !== undefined) writes.push(write);
    }
    const lookMs = clock.monotonic() - beganAt;
    let written = 0;
    const now = writes.slice(0, MAX_WRITES);
    await attemptEach(now, { signal, width: WRITERS }, async (write) => {
      if (await write()) written++;
    });
    return {
      summary: `${wanted.size} versions served, ${written} registrations written`,
      again: writes.length > MAX_WRITES,
      restMs: Math.min(MAX_REST_MS, MIN_REST_MS + lookMs * REST_PER_LOOK),
    };
  }

  #wanted(): Map<string, Wanted> {
    const wanted = new Map<string, Wanted>();
    for (const { resource, definition } of this.#parts.catalog.served()) {
      const { group, version } = resource;
      const name = `${version}.${group}`;
      if (wanted.get(name)?.management === 'onstart') continue;
      const spec: JsonObject = {
        ...(group === '' ? {} : { group }),
        version,
        ...this.#priorityOf(group),
      };
      wanted.set(name, { name, spec, management: definition.builtin ? 'onstart' : 'true' });
    }
    return wanted;
  }

  /** The object to write; undefined when it is up to date or not managed here. */
  #keep(
    resource: ServedResource,
    { name, management, spec }: Wanted,
    entry: Entry | undefined,
    signal: AbortSignal,
  ): (() => Promise<boolean>) | undefined {
    if (management === 'onstart' && this.#settled.has(name)) return undefined;
    if (entry === undefined) {
      const metadata = { name, labels: { [AUTOMANAGED_LABEL]: management } };
      return async () => {
        const made = await this.#writer.create(resource, { metadata, spec }, signal);
        if (made !== undefined) this.#settled.add(name);
        return made !== undefined;
      };
    }
    if (entry.corrupt || this.#right.has(entry)) return undefined;
    this.#settled.add(name);
    if (managementOf(entry) === undefined) return undefined;
    if (deepEqual(entry.object().spec, spec)) {
      this.#right.add(entry);
      return undefined;
    }
    const edit = (changed: ApiObject): void => void (changed.spec = spec);
    const target = { resource, namespace: '', name };
    return async () =>
      (await this.#writer.change(target, seenOf(entry), edit, { signal })).outcome === 'done';
  }

  #drop(
    resource: ServedResource,
    entry: Entry,
    signal: AbortSignal,
  ): (() => Promise<boolean>) | undefined {
    const { name } = entry;
    const management = managementOf(entry);
    if (management === undefined) return undefined;
    if (management === 'onstart' && this.#settled.has(name)) return undefined;
    this.#settled.add(name);
    const target = { resource, namespace: '', name };
    return async () =>
      (await this.#writer.remove(target, seenOf(entry), { signal })).outcome === 'done';
  }
}

function managementOf({ labels }: Entry): Management | undefined {
  const label = Object.hasOwn(labels, AUTOMANAGED_LABEL) ? labels[AUTOMANAGED_LABEL] : undefined;
  return label === 'onstart' || label === 'true' ? label : undefined;
}
