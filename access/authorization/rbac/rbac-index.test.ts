import assert from 'node:assert/strict';
import type { JsonObject } from '../../../api/json.ts';
import type { UserInfo } from '../../../api/user.ts';
import { encodeStored } from '../../../storage/stored-bytes.ts';
import { FakeClock, settle } from '../../../test/support/fake-clock.ts';
import { MemoryStore } from '../../../test/support/memory-store.ts';
import { Seeded, seeds } from '../../../test/support/seeded.ts';
import { Replica } from '../../../watch/replica.ts';
import type { AuthorizationAttributes } from '../authorizer.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';
import { RbacIndex } from './rbac-index.ts';
import { asked, modelAllows } from './testing/rbac-model.ts';

const GROUP = 'rbac.authorization.cluster.io/';
const NAMES = ['a', 'b', 'c'];
const NAMESPACES = ['one', 'two'];
const WORDS = {
  verbs: ['get', 'list', '*'],
  groups: ['', 'x.io', '*'],
  resources: ['p', 'q', 'p/s', '*/s', '*'],
  urls: ['/x', '/x/*', '/xy', '*'],
};

/** A store with roles and bindings, a replica of it, and what was written. */
class World {
  readonly store = new MemoryStore();
  readonly state = new Map<string, JsonObject>();
  readonly problems: string[] = [];
  replica!: Replica;
  authorizer!: RbacAuthorizer;

  async start(): Promise<void> {
    this.replica = new Replica({ store: this.store, clock: new FakeClock() });
    await this.replica.start();
    const index = new RbacIndex(this.replica, (message) => this.problems.push(message));
    this.authorizer = new RbacAuthorizer(index);
  }

  /** `object` undefined: away with it. */
  async put(key: string, object: JsonObject | undefined): Promise<void> {
    const stored = GROUP + key;
    const { item } = await this.store.get(stored);
    if (object === undefined) {
      this.state.delete(key);
      if (item !== undefined) await this.store.delete(stored, item.revision);
      return;
    }
    this.state.set(key, object);
    const name = key.split('/').at(-1) ?? '';
    const value = encodeStored({
      apiVersion: `${GROUP}v1`,
      kind: 'X',
      metadata: { name },
      ...object,
    });
    if (item === undefined) await this.store.create(stored, value);
    else await this.store.update(stored, value, item.revision);
  }
}

function some<T>(random: Seeded, items: readonly T[], max: number): T[] {
  return Array.from({ length: random.below(max + 1) }, () => random.pick(items));
}

function randomRule(random: Seeded): JsonObject {
  const verbs = [random.pick(WORDS.verbs), ...some(random, WORDS.verbs, 1)];
  if (random.below(4) === 0) return { verbs, nonResourceURLs: some(random, WORDS.urls, 2) };
  return {
    verbs,
    apiGroups: [random.pick(WORDS.groups), ...some(random, WORDS.groups, 1)],
    resources: [random.pick(WORDS.resources), ...some(random, WORDS.resources, 1)],
    ...(random.below(3) === 0 ? { resourceNames: some(random, NAMES, 2) } : {}),
  };
}

function randomBinding(random: Seeded, isNamespaced: boolean): JsonObject {
  const kind = isNamespaced && random.below(2) === 0 ? 'Role' : 'ClusterRole';
  const subjects = Array.from({ length: random.below(4) }, () => {
    const subject = random.pick(['User', 'Group', 'ServiceAccount']);
    const namespace = subject === 'ServiceAccount' ? { namespace: random.pick(NAMESPACES) } : {};
    return { kind: subject, name: random.pick(NAMES), ...namespace };
  });
  return { roleRef: { kind, name: random.pick(NAMES) }, subjects };
}

function randomWrite(random: Seeded): [string, JsonObject | undefined] {
  const [name, namespace] = [random.pick(NAMES), random.pick(NAMESPACES)];
  const key = random.pick([
    `clusterroles/${name}`,
    `roles/${namespace}/${name}`,
    `clusterrolebindings/${name}${random.below(3)}`,
    `rolebindings/${namespace}/${name}${random.below(3)}`,
  ]);
  if (random.below(4) === 0) return [key, undefined];
  if (key.includes('bindings')) return [key, randomBinding(random, key.startsWith('role'))];
  return [key, { rules: Array.from({ length: random.below(4) }, () => randomRule(random)) }];
}

function randomUser(random: Seeded): UserInfo {
  const account = `system:serviceaccount:${random.pick(NAMESPACES)}:${random.pick(NAMES)}`;
  const name = random.below(3) === 0 ? account : random.pick(NAMES);
  return { name, uid: '', groups: some(random, NAMES, 2), extra: {} };
}

function randomQuestion(random: Seeded): AuthorizationAttributes {
  const verb = random.pick(['get', 'list', 'watch']);
  const user = randomUser(random);
  if (random.below(5) === 0)
    return asked(user, { verb, path: random.pick(['/x', '/x/y', '/xy', '/']) });
  return asked(user, {
    verb,
    isResource: true,
    group: random.pick(['', 'x.io', 'y.io']),
    resource: random.pick(['p', 'q']),
    subresource: random.pick(['', 's', 't']),
    namespace: random.pick(['', ...NAMESPACES]),
    name: random.pick(['', ...NAMES]),
  });
}

describe('decisions by roles and bindings', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    await world.start();
  });
  afterEach(() => world.replica.stop());

  for (const seed of seeds(3)) {
    it(`match a plain evaluation of all roles while roles and bindings change (seed ${seed})`, async () => {
      const random = new Seeded(seed);
      let allowed = 0;
      for (let i = 0; i < 400; i++) {
        await world.put(...randomWrite(random));
        await settle();
        for (let j = 0; j < 8; j++) {
          const question = randomQuestion(random);
          const { decision } = world.authorizer.authorize(question);
          const wanted = modelAllows(world.state, question);
          assert.equal(decision === 'allow', wanted, `${i}: ${JSON.stringify(question)}`);
          if (wanted) allowed++;
        }
      }
      assert.ok(allowed > 100, `only ${allowed} questions were answered with yes`);
      assert.deepEqual(world.problems, []);
    });
  }

  const alice: UserInfo = { name: 'alice', uid: '', groups: [], extra: {} };
  const mayGet = (resource: string): boolean =>
    world.authorizer.authorize(asked(alice, { isResource: true, resource })).decision === 'allow';
  const bind = (name: string, role: string): Promise<void> =>
    world.put(`clusterrolebindings/${name}`, {
      roleRef: { kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'User', name: 'alice' }],
    });

  it('a subject with many roles gains and loses the permissions of each', async () => {
    for (let i = 0; i < 40; i++) {
      await world.put(`clusterroles/r${i}`, {
        rules: [{ verbs: ['get'], apiGroups: [''], resources: [`p${i}`] }],
      });
      await bind(`b${i}`, `r${i}`);
    }
    await settle();
    for (let i = 0; i < 40; i++) assert.ok(mayGet(`p${i}`), `p${i}`);
    await world.put('clusterrolebindings/b7', undefined);
    await world.put('clusterroles/r8', { rules: [] });
    await settle();
    assert.deepEqual([mayGet('p7'), mayGet('p8'), mayGet('p9')], [false, false, true]);
  });

  it('a role whose rules expand beyond the listing limit decides in the same way', async () => {
    const words = (prefix: string): string[] =>
      Array.from({ length: 200 }, (_, i) => `${prefix}${i}`);
    const wide = {
      verbs: ['get', 'list'],
      apiGroups: [''],
      resources: words('p'),
      resourceNames: words('n'),
    };
    await world.put('clusterroles/wide', { rules: [wide] });
    await bind('wide', 'wide');
    await settle();
    const may = (resource: string, name: string): boolean =>
      world.authorizer.authorize(asked(alice, { isResource: true, resource, name })).decision ===
      'allow';
    assert.deepEqual(
      [may('p199', 'n199'), may('p199', 'n200'), may('p200', 'n1')],
      [true, false, false],
    );
  });

  it('a refusal names bindings to a missing role until that role exists', async () => {
    const reason = (): string =>
      world.authorizer.authorize(asked(alice, { isResource: true, resource: 'p' })).reason;
    assert.equal(reason(), '');
    await bind('b', 'gone');
    await settle();
    const gone = 'RBAC: clusterrole.rbac.authorization.cluster.io "gone" not found';
    assert.equal(reason(), gone);
    await world.put('clusterroles/gone', { rules: [] });
    await settle();
    assert.equal(reason(), '');
    await world.put('clusterroles/gone', undefined);
    await settle();
    assert.equal(reason(), gone);
    await world.put('clusterrolebindings/b', undefined);
    await settle();
    assert.equal(reason(), '');
  });

  it('property names of JavaScript prototypes are ordinary names', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      assert.equal(mayGet(name), false, name);
      await world.put('clusterroles/odd', {
        rules: [{ verbs: ['get'], apiGroups: [''], resources: [name] }],
      });
      await bind('odd', 'odd');
      await settle();
      assert.equal(mayGet(name), true, name);
    }
  });

  it('unreadable roles and bindings grant nothing and are reported', async () => {
    await bind('b', 'broken');
    await world.store.create(`${GROUP}clusterroles/broken`, Buffer.from('no object'));
    await settle();
    assert.equal(mayGet('p'), false);
    assert.equal(world.problems.length, 1);
  });
});
