import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../api/clock.ts';
import { apiVersionOf } from '../../api/group-version.ts';
import { getPath, isObject, type JsonObject } from '../../api/json.ts';
import { inTurns } from '../../api/steps.ts';
import type { Loop, LoopReport } from '../../controllers/loop.ts';
import type { Catalog } from '../../registry/catalog.ts';
import type { Registration, Registrations, RemoteVersion } from '../../discovery/registrations.ts';
import {
  partOfV2Steps,
  type RemoteSchema,
  type RemoteSchemas,
  type RemoteSchemaV2,
} from '../../discovery/openapi/remote-schemas.ts';
import type { ApiServiceRecord, ApiServices, RemoteService } from './api-services.ts';
import { discoveryItems } from './discovery-items.ts';
import { RemoteDocument, type DocumentCall } from './remote-document.ts';
import type { RemoteCaller } from './remote-caller.ts';

/** Documents of other servers are asked for again after this, and after a failure sooner. */
const PERIOD_MS = 60_000;
const RETRY_MS = 5_000;
const TIMEOUT_MS = 5_000;
const MAX_DISCOVERY_BYTES = 4 * 1024 * 1024;
const DISCOVERY = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_DISCOVERY_BYTES };
/** Documents of OpenAPI take longer to make, and are longer. */
const SCHEMA_TIMEOUT_MS = 30_000;
const MAX_SCHEMA_BYTES = 8 * 1024 * 1024;
const SCHEMA = { timeoutMs: SCHEMA_TIMEOUT_MS, maxBytes: MAX_SCHEMA_BYTES };
/** Servers that are asked at a time. */
const MAX_REFRESHES = 16;

interface Known {
  /** Whom it was heard from. */
  readonly from: string;
  resources: readonly JsonObject[];
  isFresh: boolean;
  schema: RemoteSchema | undefined;
  schemaV2: RemoteSchemaV2 | undefined;
  due: number;
  running: boolean;
}

interface RemoteDocumentsParts {
  readonly services: ApiServices;
  readonly catalog: Catalog;
  readonly caller: RemoteCaller;
  readonly clock: Clock;
}

/**
 * What other servers say of the groups and versions that they answer for:
 * discovery and OpenAPI. Every server asks for itself, in the background, so
 * that no request waits for a server that hangs; what was heard last is shown,
 * as stale, while a server is away.
 */
export class RemoteDocuments implements Loop, Registrations, RemoteSchemas {
  readonly name = 'remote-documents';
  readonly periodMs = PERIOD_MS;
  readonly wokenBy: readonly string[] = [];
  readonly elected = false;
  readonly #parts: RemoteDocumentsParts;
  readonly #known = new Map<string, Known>();
  #running = 0;
  #changes = 0;
  #wake: () => void = () => undefined;
  #life = new AbortController();

  constructor(parts: RemoteDocumentsParts) {
    this.#parts = parts;
  }

  get generation(): number {
    return this.#parts.services.generation + this.#changes;
  }

  /** Registrations that were made for what is served no more, and are about to go, do not count. */
  list(): readonly Registration[] {
    const { services, catalog } = this.#parts;
    const served = new Set([...catalog.served()].map(({ apiVersion }) => apiVersion));
    const registrations: Registration[] = [];
    for (const record of services.list()) {
      const { group, version, groupPriorityMinimum, versionPriority, name, remote } = record;
      if (record.automanaged && !served.has(apiVersionOf(record))) continue;
      registrations.push({
        ...{ group, version, groupPriorityMinimum, versionPriority },
        remote: remote === undefined ? undefined : this.#versionOf(name, remote),
      });
    }
    return registrations;
  }

  /** Documents of OpenAPI 3 of the servers that are there. */
  schemas(): RemoteSchema[] {
    return this.#shown().flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
  }

  schemasV2(): RemoteSchemaV2[] {
    return this.#shown().flatMap(({ schemaV2 }) => (schemaV2 === undefined ? [] : [schemaV2]));
  }

  readonly wakeOn = (wake: () => void): (() => void) => {
    this.#wake = wake;
    return this.#parts.services.onChange(wake);
  };

  readonly reset = (): void => {
    this.#life.abort(new Error('the loop has ended'));
    this.#life = new AbortController();
    this.#running = 0;
    for (const known of this.#known.values()) known.running = false;
  };

  step(): Promise<LoopReport> {
    const { services, clock } = this.#parts;
    const now = clock.monotonic();
    const names = new Set<string>();
    let nextDue = Infinity;
    for (const record of services.list()) {
      const { name, remote } = record;
      if (remote === undefined) continue;
      names.add(name);
      const known = this.#knownOf(name, remote);
      if (!remote.available) {
        // asked at once when it is back
        known.due = 0;
        continue;
      }
      if (!known.running && now >= known.due && this.#running < MAX_REFRESHES) {
        void this.#refresh(record, remote, known);
      }
      if (!known.running) nextDue = Math.min(nextDue, known.due);
    }
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name);
    const summary = `${names.size} versions of other servers, ${this.#running} being asked for`;
    const againAfterMs = Math.max(0, nextDue - now);
    return Promise.resolve(Number.isFinite(againAfterMs) ? { summary, againAfterMs } : { summary });
  }

  #versionOf(name: string, remote: RemoteService): RemoteVersion {
    const known = this.#known.get(name);
    const isFresh = remote.available && known?.isFresh === true;
    return { freshness: isFresh ? 'Current' : 'Stale', resources: known?.resources ?? [] };
  }

  #shown(): Known[] {
    const shown: Known[] = [];
    for (const { name, remote } of this.#parts.services.list()) {
      const known = remote?.available === true ? this.#known.get(name) : undefined;
      if (known !== undefined) shown.push(known);
    }
    return shown;
  }

  #knownOf(name: string, remote: RemoteService): Known {
    const { namespace, name: service, port } = remote;
    const from = `${namespace}/${service}:${port}`;
    let known = this.#known.get(name);
    if (known?.from !== from) {
      known = {
        ...{ from, resources: [], isFresh: false, schema: undefined, schemaV2: undefined },
        ...{ due: 0, running: false },
      };
      this.#known.set(name, known);
    }
    return known;
  }

  async #refresh(record: ApiServiceRecord, remote: RemoteService, known: Known): Promise<void> {
    const { signal } = this.#life;
    known.running = true;
    this.#running++;
    const before = { ...known };
    const isWell = await this.#ask(record, remote, known, signal);
    if (signal.aborted) return;
    this.#running--;
    known.running = false;
    known.due = this.#parts.clock.monotonic() + (isWell ? PERIOD_MS : RETRY_MS);
    const content = ({ resources, isFresh, schema, schemaV2 }: Known): unknown[] => [
      ...[resources, isFresh, schema?.hash, schemaV2?.hash],
    ];
    if (!isDeepStrictEqual(content(before), content(known))) this.#changes++;
    this.#wake();
  }

  async #ask(
    record: ApiServiceRecord,
    remote: RemoteService,
    known: Known,
    signal: AbortSignal,
  ): Promise<boolean> {
    const path = `/apis/${record.group}/${record.version}`;
    const list = await this.#document(remote, { ...DISCOVERY, path, signal });
    const resources = await list?.value();
    const items = resources === undefined ? undefined : discoveryItems(resources);
    known.isFresh = items !== undefined;
    if (items === undefined) return false;
    known.resources = items;
    known.schema = await this.#schema(remote, path.slice(1), known.schema, signal);
    known.schemaV2 = await this.#schemaV2(remote, path, known.schemaV2, signal);
    return true;
  }

  /** Servers without OpenAPI 3 have no document here. */
  async #schema(
    remote: RemoteService,
    path: string,
    before: RemoteSchema | undefined,
    signal: AbortSignal,
  ): Promise<RemoteSchema | undefined> {
    const index = await this.#document(remote, { ...DISCOVERY, path: '/openapi/v3', signal });
    const url = getPath(await index?.value(), 'paths', path, 'serverRelativeURL');
    // Another path there must not make this server call it.
    if (typeof url !== 'string' || !url.startsWith(`/openapi/v3/${path}`)) return undefined;
    const document = await this.#document(remote, { ...SCHEMA, path: url, signal });
    if (document === undefined) return undefined;
    if (document.hash === before?.hash) return before;
    const value = await document.value();
    if (value === undefined || !isObject(value)) return undefined;
    return { path, bytes: document.bytes, hash: document.hash };
  }

  async #schemaV2(
    remote: RemoteService,
    path: string,
    before: RemoteSchemaV2 | undefined,
    signal: AbortSignal,
  ): Promise<RemoteSchemaV2 | undefined> {
    const document = await this.#document(remote, { ...SCHEMA, path: '/openapi/v2', signal });
    if (document === undefined) return undefined;
    if (document.hash === before?.hash) return before;
    const value = await document.value();
    if (value === undefined || !isObject(value)) return undefined;
    return { hash: document.hash, ...(await inTurns(partOfV2Steps(value, path))) };
  }

  #document(remote: RemoteService, call: DocumentCall): Promise<RemoteDocument | undefined> {
    return RemoteDocument.fetch(this.#parts.caller, remote, call);
  }
}
