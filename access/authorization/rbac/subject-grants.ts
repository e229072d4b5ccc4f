import type { RbacBinding, RbacSubject } from './bindings.ts';
import { RuleTable, type ResourceQuery } from './rule-table.ts';
import type { PolicyRule } from '../../../resources/rbac/rules.ts';

/** A role that bindings name, whether it exists or not. */
export class RoleCell {
  readonly key: string;
  /** Undefined when the role does not exist. */
  rules: readonly PolicyRule[] | undefined;
  /** Bindings of it, times their subjects. */
  references = 0;
  #table: RuleTable<PolicyRule> | undefined;
  /** Told when the rules change. */
  readonly users = new Set<SubjectGrants>();

  constructor(key: string) {
    this.key = key;
  }

  setRules(rules: readonly PolicyRule[] | undefined): void {
    this.rules = rules;
    this.#table = undefined;
    for (const grants of this.users) grants.roleChanged();
  }

  /** Made when it is first asked: most roles of a large registry never are. */
  get table(): RuleTable<PolicyRule> | undefined {
    if (this.#table === undefined && this.rules !== undefined) {
      this.#table = new RuleTable();
      for (const rule of this.rules) this.#table.add(rule, rule);
    }
    return this.#table;
  }
}

/** One binding that names one subject. */
export interface Grant {
  readonly binding: RbacBinding;
  readonly subject: RbacSubject;
  readonly role: RoleCell;
}

/** Subjects with more roles than this have a table of their own, so that no number of bindings slows a decision. */
const MANY_ROLES = 16;

/** A refusal names no more missing roles of one subject than these. */
const MAX_DANGLING = 10;

/** What one user or group has been granted, in the cluster or in one namespace. */
export class SubjectGrants {
  /** By role; several bindings may give the same one. */
  readonly #byRole = new Map<RoleCell, Grant[]>();
  #merged: RuleTable<Grant> | undefined;
  /** One grant of each missing role; computed at the first question. */
  #dangling: readonly Grant[] | undefined;

  get isEmpty(): boolean {
    return this.#byRole.size === 0;
  }

  add(grant: Grant): void {
    const { role } = grant;
    this.#dangling = undefined;
    role.references++;
    const grants = this.#byRole.get(role);
    if (grants !== undefined) {
      grants.push(grant);
      return;
    }
    this.#byRole.set(role, [grant]);
    role.users.add(this);
    for (const rule of this.#merged === undefined ? [] : (role.rules ?? [])) {
      this.#merged?.add(rule, grant);
    }
  }

  remove(grant: Grant): void {
    const { role } = grant;
    const grants = this.#byRole.get(role);
    const at = grants?.indexOf(grant) ?? -1;
    if (grants === undefined || at < 0) return;
    role.references--;
    grants.splice(at, 1);
    this.#merged = undefined;
    this.#dangling = undefined;
    if (grants.length > 0) return;
    this.#byRole.delete(role);
    role.users.delete(this);
  }

  roleChanged(): void {
    this.#merged = undefined;
    this.#dangling = undefined;
  }

  /** Grants of roles that do not exist: they allow nothing, and refusals name them. */
  dangling(): readonly Grant[] {
    this.#dangling ??= [...this.#byRole]
      .filter(([role]) => role.rules === undefined)
      .flatMap(([, grants]) => grants.slice(0, 1))
      .slice(0, MAX_DANGLING);
    return this.#dangling;
  }

  grants(): Grant[] {
    return [...this.#byRole.values()].flat();
  }

  findResource(query: ResourceQuery): Grant | undefined {
    if (this.#byRole.size > MANY_ROLES) return this.#table().findResource(query);
    for (const [role, grants] of this.#byRole) {
      if (role.table?.findResource(query) !== undefined) return grants[0];
    }
    return undefined;
  }

  findPath(verb: string, path: string): Grant | undefined {
    if (this.#byRole.size > MANY_ROLES) return this.#table().findPath(verb, path);
    for (const [role, grants] of this.#byRole) {
      if (role.table?.findPath(verb, path) !== undefined) return grants[0];
    }
    return undefined;
  }

  #table(): RuleTable<Grant> {
    if (this.#merged === undefined) {
      this.#merged = new RuleTable();
      for (const [role, grants] of this.#byRole) {
        for (const rule of role.rules ?? []) {
          if (grants[0] !== undefined) this.#merged.add(rule, grants[0]);
        }
      }
    }
    return this.#merged;
  }
}
