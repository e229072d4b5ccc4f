import type { UserInfo } from '../../../api/user.ts';
import { Follower, type Changes } from '../../../watch/follower.ts';
import { RBAC_GROUP } from '../../../resources/rbac/roles.ts';
import { resourcePrefix } from '../../../storage/keys.ts';
import type { Entry } from '../../../watch/entry.ts';
import type { Replica } from '../../../watch/replica.ts';
import { bindingOf, type RbacBinding, type RoleReference } from './bindings.ts';
import type { ResourceQuery } from './rule-table.ts';
import { rulesOf, type PolicyRule } from '../../../resources/rbac/rules.ts';
import { RoleCell, SubjectGrants, type Grant } from './subject-grants.ts';

/** Users and groups with what they have been granted, in one place: the cluster, or a namespace. */
class Scope {
  readonly users = new Map<string, SubjectGrants>();
  readonly groups = new Map<string, SubjectGrants>();

  of({ kind, name }: { kind: 'User' | 'Group'; name: string }): SubjectGrants {
    const map = kind === 'User' ? this.users : this.groups;
    let grants = map.get(name);
    if (grants === undefined) {
      grants = new SubjectGrants();
      map.set(name, grants);
    }
    return grants;
  }

  drop({ kind, name }: { kind: 'User' | 'Group'; name: string }): void {
    const map = kind === 'User' ? this.users : this.groups;
    if (map.get(name)?.isEmpty === true) map.delete(name);
  }

  *grantsOf(user: UserInfo): Generator<SubjectGrants, void> {
    const own = this.users.get(user.name);
    if (own !== undefined) yield own;
    for (const group of user.groups) {
      const grants = this.groups.get(group);
      if (grants !== undefined) yield grants;
    }
  }
}

const prefixOf = (resource: string): string => resourcePrefix({ group: RBAC_GROUP, resource });

/** Where what gives rights is kept. */
export const RBAC_PREFIXES = {
  clusterroles: prefixOf('clusterroles'),
  roles: prefixOf('roles'),
  clusterrolebindings: prefixOf('clusterrolebindings'),
  rolebindings: prefixOf('rolebindings'),
};

/**
 * Roles and bindings of the replica, by whom they concern: a decision looks up a
 * user and its groups, and costs the same with ten bindings and with ten
 * thousand. Changes are taken in before an answer, so that it is never older
 * than what this server shows.
 */
export class RbacIndex {
  readonly #followers: readonly {
    readonly follower: Follower;
    readonly apply: (changes: Changes) => void;
  }[];
  readonly #cells = new Map<string, RoleCell>();
  readonly #cluster = new Scope();
  readonly #namespaces = new Map<string, Scope>();
  /** What each binding has added, by kind and key. */
  readonly #granted = new Map<string, Grant[]>();
  readonly #onProblem: (message: string, error: unknown) => void;

  constructor(replica: Replica, onProblem: (message: string, error: unknown) => void) {
    this.#onProblem = onProblem;
    const follow = (
      resource: string,
      put: (entry: Entry) => void,
      remove: (key: string) => void,
      keys: () => string[],
    ): { follower: Follower; apply: (changes: Changes) => void } => ({
      follower: new Follower(replica, prefixOf(resource)),
      apply: (changes) => this.#apply(changes, put, remove, keys),
    });
    const followRoles = (resource: string, place: string): ReturnType<typeof follow> =>
      follow(
        resource,
        (entry) => this.#cell(place + entry.key).setRules(rulesOf(entry.object())),
        (key) => this.#removeRole(place + key),
        () => this.#roleKeys(place),
      );
    const followBindings = (resource: string): ReturnType<typeof follow> =>
      follow(
        resource,
        (entry) => this.#putBinding(resource, entry),
        (key) => this.#removeBinding(`${resource} ${key}`),
        () => this.#bindingKeys(resource),
      );
    this.#followers = [
      followRoles('clusterroles', CLUSTER_ROLE),
      followRoles('roles', ROLE),
      followBindings('clusterrolebindings'),
      followBindings('rolebindings'),
    ];
    this.#catchUp();
  }

  /** The grant that allows it; undefined: there is none. */
  findResource(user: UserInfo, namespace: string, query: ResourceQuery): Grant | undefined {
    this.#catchUp();
    return this.#find(user, namespace, (grants) => grants.findResource(query));
  }

  /** Paths are of the cluster: what a RoleBinding says of them counts for nothing. */
  findPath(user: UserInfo, verb: string, path: string): Grant | undefined {
    this.#catchUp();
    return this.#find(user, '', (grants) => grants.findPath(verb, path));
  }

  /** Everything that has been granted to the user in a namespace (empty: the cluster alone). */
  grantsTo(user: UserInfo, namespace: string): Grant[] {
    this.#catchUp();
    return this.#scopes(namespace).flatMap((scope) =>
      [...scope.grantsOf(user)].flatMap((grants) => grants.grants()),
    );
  }

  /** Some of the grants to the user whose role does not exist. Costs the same however many others there are. */
  danglingGrantsTo(user: UserInfo, namespace: string): Grant[] {
    this.#catchUp();
    return this.#scopes(namespace).flatMap((scope) =>
      [...scope.grantsOf(user)].flatMap((grants) => grants.dangling()),
    );
  }

  /** The rules of a role that a binding in `namespace` names; undefined when the role does not exist. */
  rulesOfRole(role: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    this.#catchUp();
    return this.#cells.get(cellKey(role, namespace))?.rules;
  }

  /** Whether a binding anywhere gives the role in `namespace` (empty: of the cluster) to the user. */
  isGrantedTo(user: UserInfo, role: RoleReference, namespace: string): boolean {
    this.#catchUp();
    const cell = this.#cells.get(cellKey(role, namespace));
    if (cell === undefined) return false;
    for (const scope of [this.#cluster, ...this.#namespaces.values()]) {
      for (const grants of scope.grantsOf(user)) if (cell.users.has(grants)) return true;
    }
    return false;
  }

  #find(
    user: UserInfo,
    namespace: string,
    find: (grants: SubjectGrants) => Grant | undefined,
  ): Grant | undefined {
    for (const scope of this.#scopes(namespace)) {
      const own = scope.users.get(user.name);
      let found = own === undefined ? undefined : find(own);
      if (found !== undefined) return found;
      for (const group of user.groups) {
        const grants = scope.groups.get(group);
        found = grants === undefined ? undefined : find(grants);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #scopes(namespace: string): Scope[] {
    const scope = namespace === '' ? undefined : this.#namespaces.get(namespace);
    return scope === undefined ? [this.#cluster] : [this.#cluster, scope];
  }

  #catchUp(): void {
    for (const { follower, apply } of this.#followers) {
      if (follower.behind) apply(follower.changes());
    }
  }

  #apply(
    changes: Changes,
    put: (entry: Entry) => void,
    remove: (key: string) => void,
    keys: () => string[],
  ): void {
    const guarded = (entry: Entry): void => {
      try {
        put(entry);
      } catch (error) {
        // An unreadable object grants nothing, and does not affect others.
        remove(entry.key);
        this.#onProblem(`the rights in ${JSON.stringify(entry.key)} cannot be read`, error);
      }
    };
    if (changes.all) {
      const present = new Set<string>();
      for (const entry of changes.items.range('')) {
        present.add(entry.key);
        guarded(entry);
      }
      for (const key of keys()) if (!present.has(key)) remove(key);
      return;
    }
    for (const { type, entry } of changes.events) {
      if (type === 'DELETED') remove(entry.key);
      else guarded(entry);
    }
  }

  #cell(key: string): RoleCell {
    let cell = this.#cells.get(key);
    if (cell === undefined) {
      cell = new RoleCell(key);
      this.#cells.set(key, cell);
    }
    return cell;
  }

  #roleKeys(place: string): string[] {
    return [...this.#cells.values()]
      .filter(({ key, rules }) => rules !== undefined && key.startsWith(place))
      .map(({ key }) => key.slice(place.length));
  }

  #removeRole(key: string): void {
    const cell = this.#cells.get(key);
    if (cell === undefined) return;
    cell.setRules(undefined);
    this.#dropUnused(cell);
  }

  #dropUnused(cell: RoleCell): void {
    if (cell.rules === undefined && cell.references === 0) this.#cells.delete(cell.key);
  }

  #bindingKeys(resource: string): string[] {
    return [...this.#granted.keys()]
      .filter((key) => key.startsWith(`${resource} `))
      .map((key) => key.slice(resource.length + 1));
  }

  #putBinding(resource: string, entry: Entry): void {
    const binding = bindingOf(entry.object(), entry.namespace, entry.name);
    const key = `${resource} ${entry.key}`;
    this.#removeBinding(key);
    const scope = this.#scopeOf(binding);
    const role = this.#cell(cellKey(binding.role, binding.namespace));
    const grants = binding.subjects.map((subject): Grant => ({ binding, subject, role }));
    for (const grant of grants) scope.of(grant.subject).add(grant);
    this.#granted.set(key, grants);
    this.#dropUnused(role);
  }

  #removeBinding(key: string): void {
    const grants = this.#granted.get(key);
    if (grants === undefined) return;
    this.#granted.delete(key);
    for (const grant of grants) {
      const scope = this.#scopeOf(grant.binding);
      scope.of(grant.subject).remove(grant);
      scope.drop(grant.subject);
      this.#dropUnused(grant.role);
    }
    const { namespace = '' } = grants[0]?.binding ?? {};
    const scope = this.#namespaces.get(namespace);
    if (scope?.users.size === 0 && scope.groups.size === 0) this.#namespaces.delete(namespace);
  }

  #scopeOf({ namespace }: RbacBinding): Scope {
    if (namespace === '') return this.#cluster;
    let scope = this.#namespaces.get(namespace);
    if (scope === undefined) {
      scope = new Scope();
      this.#namespaces.set(namespace, scope);
    }
    return scope;
  }
}

/** Keys of roles begin with where they are; `cluster` and a namespace cannot be confused. */
const CLUSTER_ROLE = 'ClusterRole ';
const ROLE = 'Role ';

function cellKey({ kind, name }: RoleReference, namespace: string): string {
  return kind === 'ClusterRole' ? CLUSTER_ROLE + name : `${kind} ${namespace}/${name}`;
}
