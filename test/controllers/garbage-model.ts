import type { JsonObject } from '../../api/json.ts';
import { ApiError } from '../../api/api-error.ts';
import { GarbageLoop } from '../../controllers/garbage/garbage-loop.ts';
import type { Store } from '../../storage/interface.ts';
import type { Act, UserAct } from './garbage-acts.ts';
import { KINDS } from './garbage-checker.ts';
import { Running, World, jittery, lagging, seeded, type TestServer } from '../support/world.ts';

interface Place {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespace?: string;
}

const LEASES = { group: 'coordination.cluster.io', resource: 'leases', kind: 'Lease' };
const ROLES = { group: 'rbac.authorization.cluster.io', resource: 'roles', kind: 'Role' };

/** Where objects are, by number: three kinds, two namespaces. */
const PLACES: readonly Place[] = [
  { ...LEASES, namespace: 'a' },
  { ...LEASES, namespace: 'a' },
  { ...LEASES, namespace: 'a' },
  { ...LEASES, namespace: 'b' },
  { ...ROLES, namespace: 'a' },
  { group: '', resource: 'nodes', kind: 'Node' },
];

type Named = Place & { readonly name: string };

function named(object: number): Named {
  return { ...PLACES[object % PLACES.length]!, name: `o${object}` };
}

const HOLD = 'example.com/hold';
/** Answers that users expect: a conflict with another writer, or a missing object. */
const REFUSALS = ['NotFound', 'AlreadyExists', 'Conflict', 'Invalid'];

/** A user at work on one server, while two others collect garbage at the same time: a leader, and one that has not noticed that it is none. */
export class GarbageModel {
  readonly world = new World();
  /** Revisions that the user wrote. */
  readonly userRevisions = new Set<string>();
  readonly #late = lagging(this.world.store);
  readonly #seed: number;
  #user!: TestServer;
  #collectors: TestServer[] = [];
  #running: Running[] = [];

  constructor(seed: number) {
    this.#seed = seed;
  }

  async start(): Promise<void> {
    this.#user = await this.world.server();
    for (const name of ['a', 'b', 'default']) await this.#user.namespace(name);
    const store = jittery(this.world.store, seeded(this.#seed));
    const behind = jittery(this.#late.store, seeded(this.#seed + 1));
    this.#collectors = [await this.world.server(store), await this.world.server(behind)];
    const noted = noting(this.#user.parts.store, this.userRevisions);
    this.#user.parts = { ...this.#user.parts, store: noted };
    this.#run();
  }

  async stop(): Promise<void> {
    this.catchUp();
    for (const running of this.#running) await running.stop();
    await this.world.stop();
  }

  /** No collector is behind any more. */
  catchUp(): void {
    this.#late.release();
  }

  async play(step: Act): Promise<void> {
    switch (step.act) {
      case 'wait':
        return this.world.pass(step.ms);
      case 'race':
        await Promise.all([this.world.pass(step.ms), this.#race(step.acts)]);
        return;
      case 'restart':
        for (const running of this.#running) await running.stop();
        this.#run();
        return;
      case 'lag':
        if (step.on) this.#late.hold();
        else this.#late.release();
        return;
      default:
        return this.#use(step);
    }
  }

  #run(): void {
    this.#running = this.#collectors.map(
      (server, i) => new Running(server, new GarbageLoop(server.parts, `gc-${i}`)),
    );
  }

  async #race(acts: readonly { turns: number; what: UserAct }[]): Promise<void> {
    for (const { turns, what } of acts) {
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
      await this.#use(what);
    }
  }

  async #use(step: UserAct): Promise<void> {
    try {
      await this.#attempt(step);
    } catch (error) {
      if (!(error instanceof ApiError) || !REFUSALS.includes(error.reason)) throw error;
    }
  }

  async #attempt(step: UserAct): Promise<void> {
    const target = named(step.object);
    const edit = (change: (metadata: any) => void): Promise<unknown> =>
      this.#user.update(target, (object) => change(object.metadata));
    const own = (reference: JsonObject): Promise<unknown> =>
      edit((metadata) => {
        const { ownerReferences = [] } = metadata;
        const others = ownerReferences.filter((one: any) => one.uid !== reference['uid']);
        metadata.ownerReferences = [...others, reference];
      });
    switch (step.act) {
      case 'create':
        await this.#create(target, step.owner === step.object ? undefined : step);
        return;
      case 'own': {
        const reference = await this.#reference(step);
        if (reference !== undefined) await own(reference);
        return;
      }
      case 'invent':
        await own(invented(step.owner));
        return;
      case 'disown':
        await edit((metadata) => delete metadata.ownerReferences);
        return;
      case 'hold':
        await edit((metadata) => {
          if (metadata.deletionTimestamp === undefined)
            metadata.finalizers = [...withoutHold(metadata), HOLD];
        });
        return;
      case 'release':
        await edit((metadata) => (metadata.finalizers = withoutHold(metadata)));
        return;
      case 'delete':
        await this.#user.delete(target, step.policy);
    }
  }

  async #create(
    { group, resource, name, namespace }: Named,
    related: { owner: number; block: boolean } | undefined,
  ): Promise<void> {
    const reference = related && (await this.#reference(related));
    const metadata: JsonObject = { name };
    if (namespace !== undefined) metadata['namespace'] = namespace;
    if (reference !== undefined) metadata['ownerReferences'] = [reference];
    await this.#user.create(group, resource, { metadata });
  }

  /** To the owner as it is now; undefined: there is none. */
  async #reference(related: { owner: number; block: boolean }): Promise<JsonObject | undefined> {
    const owner = await this.#user.get(named(related.owner));
    if (owner === undefined) return undefined;
    const { apiVersion, kind, metadata } = owner;
    const { name, uid } = metadata as { name: string; uid: string };
    return {
      ...{ apiVersion: apiVersion!, kind: kind!, name, uid },
      blockOwnerDeletion: related.block,
    };
  }
}

function invented(owner: number): JsonObject {
  const { kind, name } = named(owner);
  return { apiVersion: KINDS[kind]!.apiVersion, kind, name, uid: `made-up-${owner}` };
}

function withoutHold({ finalizers = [] }: { finalizers?: string[] }): string[] {
  return finalizers.filter((finalizer) => finalizer !== HOLD);
}

/** The store, with the revisions noted that are written through it. */
function noting(store: Store, revisions: Set<string>): Store {
  return new Proxy(store, {
    get: (target, property): unknown => {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== 'function') return member;
      if (!['create', 'update', 'delete'].includes(String(property)))
        return member.bind(target) as unknown;
      return async (...args: unknown[]): Promise<unknown> => {
        const written: any = await member.apply(target, args);
        if (written.outcome === 'ok') revisions.add(String(written.revision));
        return written;
      };
    },
  });
}
