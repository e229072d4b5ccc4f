import { AdmissionChain } from '../../admission/chain.ts';
import { NamespaceLifecycle } from '../../admission/plugins/namespace-lifecycle.ts';
import { parseStoredJson } from '../../api/json-parse.ts';
import type { JsonObject } from '../../api/json.ts';
import { SYSTEM_USER } from '../../api/user.ts';
import { Warnings } from '../../api/warnings.ts';
import { Catalog } from '../../registry/catalog.ts';
import { noneConverter } from '../../registry/conversion.ts';
import { create } from '../../registry/create.ts';
import { deleteObject } from '../../registry/delete.ts';
import { DEFAULT_DELETE_OPTIONS, type PropagationPolicy } from '../../registry/delete-options.ts';
import { FieldTracker } from '../../registry/field-tracker.ts';
import { namespaceReader } from '../../registry/namespaces.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { updateObject } from '../../registry/update.ts';
import { Views } from '../../registry/views.ts';
import { DEFAULT_WRITE_OPTIONS, type WriteOptions } from '../../registry/write-options.ts';
import { builtinDefinitions } from '../../resources/builtin.ts';
import { ALL_FEATURE_GATES } from '../../resources/feature-gates.ts';
import { relativeKey } from '../../storage/keys.ts';
import type { Store } from '../../storage/interface.ts';
import { Entry } from '../../watch/entry.ts';
import { Reader } from '../../watch/reader.ts';
import { Replica } from '../../watch/replica.ts';
import { Watcher } from '../../watch/watcher.ts';
import type { Loop } from '../../controllers/loop.ts';
import { LoopRunner } from '../../controllers/runner.ts';
import { FakeClock, settle, whileTimePasses } from './fake-clock.ts';
import { MemoryStore } from './memory-store.ts';

/** Several servers on one store, in one process, in a time that the test moves. */
export class World {
  readonly clock = new FakeClock();
  readonly store: MemoryStore;
  readonly #servers: TestServer[] = [];
  #uids = 0;

  constructor(store = new MemoryStore()) {
    this.store = store;
  }

  /** A server's parts, with a replica that follows; `through` lets it see the store differently. */
  async server(through: Store = this.store): Promise<TestServer> {
    const { clock } = this;
    const replica = new Replica({ store: through, clock });
    await whileTimePasses(clock, replica.start());
    const server = new TestServer(this, through, replica, () => `uid-${++this.#uids}`);
    this.#servers.push(server);
    return server;
  }

  /** Lets time pass in small steps, so that what takes several turns does not seem to take long. */
  async pass(ms: number): Promise<void> {
    const step = Math.max(20, ms / 100);
    for (let left = ms; left > 0; left -= step) await this.clock.advance(Math.min(step, left));
  }

  /** Takes an object out of the store, whatever protects it. */
  async removeNow(key: string): Promise<void> {
    const { item } = await this.store.get(key);
    await this.store.delete(key, item!.revision);
  }

  /** Runs just before a key is deleted for the first time; the result says whether it ran. */
  beforeDeletion(key: string, act: () => Promise<unknown>): () => boolean {
    const { store } = this;
    const remove = store.delete.bind(store);
    let isDone = false;
    store.delete = async (deleted, expected) => {
      if (!isDone && deleted === key) {
        isDone = true;
        await act();
      }
      return remove(deleted, expected);
    };
    return () => isDone;
  }

  async stop(): Promise<void> {
    const ends = Promise.all(this.#servers.map((server) => server.parts.reader.replica.stop()));
    await whileTimePasses(this.clock, ends);
  }
}

/** What an object is called in tests. */
export interface ObjectName {
  readonly group?: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

export class TestServer {
  readonly world: World;
  parts: RegistryParts;
  readonly plainAdmission: AdmissionChain;

  constructor(world: World, store: Store, replica: Replica, newUid: () => string) {
    const { clock } = world;
    const reader = new Reader(store, replica, clock);
    // not random: a test that fails fails again
    let seed = 1;
    const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
    this.world = world;
    this.plainAdmission = new AdmissionChain([
      new NamespaceLifecycle(namespaceReader(store, replica), ['default']),
    ]);
    this.parts = {
      store,
      reader,
      watcher: new Watcher({ store, replica, clock, random }),
      catalog: new Catalog(builtinDefinitions(ALL_FEATURE_GATES)),
      admission: this.plainAdmission,
      views: new Views(noneConverter),
      fields: new FieldTracker(noneConverter),
      clock,
      random,
      newUid,
      minWatchMs: 1_800_000,
    };
  }

  get unadmitted(): RegistryParts {
    return { ...this.parts, admission: new AdmissionChain([]) };
  }

  resource(group: string, plural: string): ServedResource {
    const found = this.parts.catalog.findStored(group, plural);
    if (found === undefined) throw new Error(`no ${plural} in ${group}`);
    return found;
  }

  async create(
    group: string,
    plural: string,
    value: JsonObject,
    options: Partial<WriteOptions> = {},
  ): Promise<JsonObject> {
    const resource = this.resource(group, plural);
    const metadata = value.metadata as { namespace?: string };
    const { apiVersion, kind } = resource;
    const request = {
      context: this.#context(),
      target: { resource, namespace: metadata.namespace ?? '', name: '' },
      subresource: '',
      options: { ...DEFAULT_WRITE_OPTIONS, ...options },
    };
    const body = { value: { apiVersion, kind: kind.kind, ...value }, duplicates: [] };
    const { bytes } = await create(this.parts, request, body);
    await settle();
    return parseStoredJson(bytes);
  }

  async namespace(name: string, spec: JsonObject = {}): Promise<JsonObject> {
    return this.create('', 'namespaces', { metadata: { name }, spec });
  }

  async update(
    name: ObjectName,
    edit: (object: any) => void,
    subresource = '',
  ): Promise<JsonObject | undefined> {
    const request = {
      context: this.#context(),
      target: this.#target(name),
      subresource,
      options: DEFAULT_WRITE_OPTIONS,
    };
    const { entry } = await updateObject(this.parts, request, {
      produce: (current) => {
        edit(current);
        return current!;
      },
      mayCreate: false,
      unconditional: true,
    });
    await settle();
    return entry?.object();
  }

  async delete(name: ObjectName, propagation?: PropagationPolicy): Promise<void> {
    const options = { ...DEFAULT_DELETE_OPTIONS, propagationPolicy: propagation };
    await deleteObject(this.parts, {
      context: this.#context(),
      target: this.#target(name),
      options,
    });
    await settle();
  }

  /** From the store. */
  async get({
    group = '',
    resource,
    namespace = '',
    name,
  }: ObjectName): Promise<JsonObject | undefined> {
    const { prefix } = this.resource(group, resource);
    const key = relativeKey(namespace, name);
    const { item } = await this.parts.store.get(prefix + key);
    return item && Entry.fromStored(key, item.value, item.revision).object();
  }

  #target({ group = '', resource, namespace = '', name }: ObjectName): {
    resource: ServedResource;
    namespace: string;
    name: string;
  } {
    return { resource: this.resource(group, resource), namespace, name };
  }

  #context(): Parameters<typeof create>[1]['context'] {
    return {
      user: SYSTEM_USER,
      warnings: new Warnings(),
      audit: new Map(),
      signal: undefined,
      defaultManager: 'test',
    };
  }
}

/** Runs loops on a server until the world stops. */
export class Running {
  readonly failures: string[] = [];
  readonly runners: LoopRunner[];
  readonly #world: World;

  constructor(server: TestServer, ...loops: Loop[]) {
    this.#world = server.world;
    const { reader } = server.parts;
    this.runners = loops.map(
      (loop) =>
        new LoopRunner(loop, {
          clock: server.world.clock,
          replica: reader.replica,
          onFailure: (name, error) => this.failures.push(`${name}: ${String(error)}`),
        }),
    );
    for (const runner of this.runners) runner.start();
  }

  async stop(): Promise<void> {
    await whileTimePasses(
      this.#world.clock,
      Promise.all(this.runners.map((runner) => runner.stop())),
    );
  }
}

/** A store whose watches can be held back, so that its server lags behind. */
export function lagging(store: Store): { store: Store; hold: () => void; release: () => void } {
  let open: Promise<void> = Promise.resolve();
  let release: (() => void) | undefined;
  const watch: Store['watch'] = async function* (options) {
    for await (const batch of store.watch(options)) {
      await open;
      yield batch;
    }
  };
  return {
    store: new Proxy(store, {
      get(target, property): unknown {
        if (property === 'watch') return watch;
        const member: unknown = Reflect.get(target, property);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    }),
    hold: () => {
      if (release === undefined) open = new Promise((resolve) => (release = resolve));
    },
    release: () => {
      release?.();
      release = undefined;
    },
  };
}

/** A store that answers after a random number of turns, so that what runs at the same time interleaves in many ways. */
export function jittery(store: Store, random: () => number): Store {
  return new Proxy(store, {
    get(target, property): unknown {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== 'function') return member;
      if (property === 'watch') return member.bind(target) as unknown;
      return async (...args: unknown[]): Promise<unknown> => {
        for (let turns = Math.floor(random() * 8); turns > 0; turns--) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        return (member as (...a: unknown[]) => Promise<unknown>).apply(target, args);
      };
    },
  });
}

/** The same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = (seed % 2147483646) + 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
