import type { Clock } from '../../../api/clock.ts';
import type { Revision } from '../../../api/revision.ts';
import { Turn } from '../../../api/turn.ts';
import type { UserInfo } from '../../../api/user.ts';
import type { Entry } from '../../../watch/entry.ts';
import type { HistoryEvent } from '../../../watch/history.ts';
import type { Replica } from '../../../watch/replica.ts';
import { bindingOf, type RoleReference } from './bindings.ts';
import { RBAC_PREFIXES, type RbacIndex } from './rbac-index.ts';

const ROLES = [
  ['ClusterRole', RBAC_PREFIXES.clusterroles],
  ['Role', RBAC_PREFIXES.roles],
] as const;
const BINDINGS = [RBAC_PREFIXES.clusterrolebindings, RBAC_PREFIXES.rolebindings];

/** When roles and bindings have changed. They stand in the same log as all other objects. */
export class RightsLog {
  readonly #replica: Replica;
  readonly #index: RbacIndex;
  readonly #clock: Clock;

  constructor(replica: Replica, index: RbacIndex, clock: Clock) {
    this.#replica = replica;
    this.#index = index;
    this.#clock = clock;
  }

  /** Called after each change of roles or bindings, before a stream can send what came with it or after it. */
  listen(changed: () => void): void {
    const prefixes = new Set<string>(Object.values(RBAC_PREFIXES));
    this.#replica.onReload(changed);
    this.#replica.onBatch((touched) => {
      for (const { prefix } of touched) {
        if (!prefixes.has(prefix)) continue;
        changed();
        return;
      }
    });
  }

  /**
   * Whether rights that roles give to the user may have changed after a revision.
   * True also where memory does not go back so far.
   */
  async changedSince(user: UserInfo, revision: Revision): Promise<boolean> {
    const turn = new Turn(this.#clock, 1);
    for (const prefix of BINDINGS) {
      const events = this.#eventsAfter(prefix, revision);
      if (events === undefined) return true;
      for (const { entry, previous } of events) {
        if (names(entry, user) || (previous !== undefined && names(previous, user))) return true;
        if (turn.over()) await turn.next();
      }
    }
    for (const [kind, prefix] of ROLES) {
      const events = this.#eventsAfter(prefix, revision);
      if (events === undefined) return true;
      for (const { entry } of events) {
        if (this.#index.isGrantedTo(user, roleOf(kind, entry), entry.namespace)) return true;
        if (turn.over()) await turn.next();
      }
    }
    return false;
  }

  /** Undefined: there may have been others. */
  #eventsAfter(prefix: string, revision: Revision): HistoryEvent[] | undefined {
    const { history } = this.#replica.collection(prefix);
    if (revision < history.floor) return undefined;
    const events: HistoryEvent[] = [];
    for (let at = history.positionAfter(revision); at < history.end; at++) {
      events.push(history.at(at));
    }
    return events;
  }
}

function roleOf(kind: string, { name }: Entry): RoleReference {
  return { kind, name };
}

/** A binding that names the user, or one of its groups. One that cannot be read names no user. */
function names(entry: Entry, user: UserInfo): boolean {
  if (entry.corrupt) return false;
  const { subjects } = bindingOf(entry.object(), entry.namespace, entry.name);
  return subjects.some(({ kind, name }) =>
    kind === 'User' ? name === user.name : user.groups.includes(name),
  );
}
