import { objectOf } from '../../resources/object-of.ts';
import { apiServiceSchema } from '../../resources/apiregistration/api-service-schema.ts';
import { isDeepStrictEqual } from 'node:util';
import { AUTOMANAGED_LABEL, isAlias } from '../../api/naming.ts';
import {
  API_SERVICE_GROUP,
  API_SERVICE_PLURAL,
  isAvailable,
  type ApiService,
} from '../../resources/apiregistration/api-service-types.ts';
import { resourcePrefix } from '../../storage/keys.ts';
import type { Entry } from '../../watch/entry.ts';
import { followCollection } from '../../watch/follow-collection.ts';
import type { ReadonlyOrderedMap } from '../../watch/ordered-map.ts';
import type { Replica } from '../../watch/replica.ts';

const PREFIX = resourcePrefix({ group: API_SERVICE_GROUP, resource: API_SERVICE_PLURAL });

/** One version of one group, and who answers for it. */
export interface ApiServiceRecord {
  /** `<version>.<group>`. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  /** Made by this installation for what it serves itself. */
  readonly automanaged: boolean;
  /** Undefined: this server. */
  readonly remote: RemoteService | undefined;
}

/** A server that answers for a group and version in the place of this one. */
export interface RemoteService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly caBundle: string | undefined;
  readonly insecure: boolean;
  /** What its Available condition says. */
  readonly available: boolean;
}

interface ApiServicesOptions {
  readonly replica: Replica;
  /** What this server has built in is never forwarded to another server. */
  readonly isBuiltin: (group: string, version: string) => boolean;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/** The APIService objects of the replica, kept in step with it: on every server, at every revision. */
export class ApiServices {
  readonly #options: ApiServicesOptions;
  readonly #records = new Map<string, ApiServiceRecord>();
  readonly #listeners = new Set<() => void>();
  /** Ends following the objects. */
  readonly stop: () => void;
  #generation = 0;
  #hasRemotes = false;

  constructor(options: ApiServicesOptions) {
    this.#options = options;
    this.stop = followCollection(options.replica, PREFIX, {
      onState: (items) => this.#reload(items),
      onChanges: (names, items) => this.#follow(names, items),
    });
  }

  /** Another one after every change of what the records say. */
  get generation(): number {
    return this.#generation;
  }

  list(): IterableIterator<ApiServiceRecord> {
    return this.#records.values();
  }

  /** One of them names another server; on most servers none does. */
  get hasRemotes(): boolean {
    return this.#hasRemotes;
  }

  find(group: string, version: string): ApiServiceRecord | undefined {
    return this.#records.get(`${version}.${group}`);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #reload(items: ReadonlyOrderedMap<Entry>): void {
    this.#records.clear();
    for (const entry of items.range('')) this.#put(entry);
    this.#changed();
  }

  #follow(names: ReadonlySet<string>, items: ReadonlyOrderedMap<Entry>): void {
    let isChanged = false;
    for (const name of names) {
      const entry = items.get(name);
      if (entry === undefined) isChanged = this.#records.delete(name) || isChanged;
      else isChanged = this.#put(entry) || isChanged;
    }
    if (isChanged) this.#changed();
  }

  /** True when it says something new. What is damaged must not stop the replica. */
  #put(entry: Entry): boolean {
    try {
      const object = objectOf(apiServiceSchema, entry.object());
      const record = recordOf(object, this.#options.isBuiltin);
      if (isDeepStrictEqual(record, this.#records.get(entry.name))) return false;
      this.#records.set(entry.name, record);
    } catch (error) {
      this.#records.delete(entry.name);
      const name = JSON.stringify(entry.name);
      this.#options.onProblem(`the APIService ${name} cannot be used`, error);
    }
    return true;
  }

  #changed(): void {
    this.#generation++;
    this.#hasRemotes = [...this.#records.values()].some(({ remote }) => remote !== undefined);
    for (const listener of this.#listeners) listener();
  }
}

const DEFAULT_PORT = 443;

function recordOf(
  object: ApiService,
  isBuiltin: ApiServicesOptions['isBuiltin'],
): ApiServiceRecord {
  const { metadata, spec } = object;
  const { group = '', version = '', groupPriorityMinimum, versionPriority } = spec;
  // what was stored before aliases were reserved leads nowhere either
  const isLocal = spec.service === undefined || isAlias(group) || isBuiltin(group, version);
  const remote = isLocal ? undefined : remoteOf(object);
  return {
    name: metadata.name ?? '',
    automanaged: Object.hasOwn(metadata.labels ?? {}, AUTOMANAGED_LABEL),
    ...{ group, version, groupPriorityMinimum, versionPriority, remote },
  };
}

/** Of an APIService with a service. */
export function remoteOf(object: ApiService): RemoteService {
  const { service = {}, caBundle, insecureSkipTLSVerify = false } = object.spec;
  const { namespace = '', name = '', port = DEFAULT_PORT } = service;
  return {
    ...{ namespace, name, port, caBundle },
    insecure: insecureSkipTLSVerify,
    available: isAvailable(object),
  };
}
