/**
 * What a decision costs: `node --import=tsx bench/authorization.ts`.
 * Figures are medians of several rounds of processor time.
 */
import type { JsonObject } from '../api/json.ts';
import { systemClock } from '../api/clock.ts';
import type { UserInfo } from '../api/user.ts';
import { NO_ATTRIBUTES, type AuthorizationAttributes } from '../access/authorization/authorizer.ts';
import { AuthorizerChain, mastersAuthorizer } from '../access/authorization/authorizers.ts';
import { RbacAuthorizer } from '../access/authorization/rbac/rbac-authorizer.ts';
import { RbacIndex } from '../access/authorization/rbac/rbac-index.ts';
import { encodeStored } from '../storage/stored-bytes.ts';
import type { BatchOperation } from '../storage/interface.ts';
import { MemoryStore } from '../test/support/memory-store.ts';
import { Replica } from '../watch/replica.ts';
import { time } from './load/cpu.ts';

const CALLS = 50_000;
const GROUP = 'rbac.authorization.cluster.io/';
const NAMESPACES = 500;

function stored(key: string, fields: JsonObject): BatchOperation {
  const metadata = { name: key.split('/').at(-1) ?? '' };
  const value = encodeStored({ apiVersion: `${GROUP}v1`, kind: 'X', metadata, ...fields });
  return { op: 'create', key: GROUP + key, value };
}

/** Half of the bindings everywhere, half in namespaces; roles of ten rules, groups with many bindings. */
function policy(bindings: number): BatchOperation[] {
  const operations: BatchOperation[] = [];
  const roles = Math.max(1, bindings / 10);
  for (let i = 0; i < roles; i++) {
    const rules = Array.from({ length: 10 }, (_, j) => ({
      verbs: ['get', 'list', 'watch'],
      apiGroups: [`group-${j}.example.com`],
      resources: [`things-${i}`, 'leases'],
      ...(j === 9 ? { resourceNames: Array.from({ length: 20 }, (_, k) => `name-${k}`) } : {}),
    }));
    operations.push(stored(`clusterroles/role-${i}`, { rules }));
  }
  for (let i = 0; i < bindings; i++) {
    const subjects = [
      { kind: 'User', name: `user-${i}` },
      { kind: 'Group', name: `group-${i % 50}` },
    ];
    const binding = { roleRef: { kind: 'ClusterRole', name: `role-${i % roles}` }, subjects };
    const place =
      i % 2 === 0 ? `clusterrolebindings/b-${i}` : `rolebindings/ns-${i % NAMESPACES}/b-${i}`;
    operations.push(stored(place, binding));
  }
  return operations;
}

async function authorizerFor(bindings: number): Promise<{
  authorize: (attributes: AuthorizationAttributes) => boolean;
  stop: () => Promise<void>;
}> {
  const store = new MemoryStore();
  await store.batch(policy(bindings));
  const replica = new Replica({ store, clock: systemClock });
  await replica.start();
  const index = new RbacIndex(replica, (message) => console.error(message));
  const chain = new AuthorizerChain([mastersAuthorizer, new RbacAuthorizer(index)]);
  const authorize = (attributes: AuthorizationAttributes): boolean => {
    const decision = chain.authorize(attributes);
    if (decision instanceof Promise) throw new Error('it looks elsewhere');
    return decision.decision === 'allow';
  };
  return { authorize, stop: () => replica.stop() };
}

function question(
  user: UserInfo,
  fields: Partial<AuthorizationAttributes>,
): AuthorizationAttributes {
  return { ...NO_ATTRIBUTES, user, verb: 'get', isResource: true, version: 'v1', ...fields };
}

for (const bindings of [10, 1_000, 10_000]) {
  const { authorize, stop } = await authorizerFor(bindings);
  const user = (groups: string[]): UserInfo[] =>
    Array.from({ length: bindings }, (_, i) => ({ name: `user-${i}`, uid: '', groups, extra: {} }));
  const groups = ['system:authenticated', 'group-1', 'group-2', 'group-3', 'group-4'];
  const [alone, members] = [user(['system:authenticated']), user(groups)];
  const at = <T>(items: readonly T[], i: number): T => items[i % items.length]!;
  const rows: [string, boolean | undefined, (i: number) => AuthorizationAttributes][] = [
    [
      'allowed by one binding of the user',
      true,
      (i) =>
        question(at(alone, i & ~1), {
          group: 'group-3.example.com',
          resource: 'leases',
          name: 'a',
        }),
    ],
    [
      'refused: a user with one binding and one group',
      false,
      (i) =>
        question(at(alone, i), { group: 'example.com', resource: 'leases', namespace: 'ns-1' }),
    ],
    [
      'refused: a user in five groups with many bindings',
      false,
      (i) => question(at(members, i), { group: 'example.com', resource: 'x', namespace: 'ns-1' }),
    ],
    [
      'allowed by a name among many',
      undefined,
      (i) =>
        question(at(members, i), {
          group: 'group-9.example.com',
          resource: 'leases',
          name: 'name-7',
        }),
    ],
  ];
  for (const [what, wanted, ask] of rows) {
    const questions = Array.from({ length: 1_000 }, (_, i) => ask(i));
    for (const each of questions) {
      if (wanted !== undefined && authorize(each) !== wanted) throw new Error(what);
    }
    const figure = time(CALLS, (i) => authorize(at(questions, i)));
    console.log(
      `${String(bindings).padStart(6)} bindings  ${what.padEnd(52)}${figure.toFixed(2)} µs`,
    );
  }
  await stop();
}
