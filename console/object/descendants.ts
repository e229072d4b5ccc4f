import type { Kind } from '../api/kind.ts';
import { dependentsOf, type Dependent } from './dependents.ts';
import { unreadOf, type Unread } from '../api/lists.ts';

/** What objects own, through all generations. */
export interface Descendants {
  /** What the objects own themselves, whether it goes with them or not. */
  readonly direct: readonly Dependent[];
  /** What the garbage collector deletes after them. */
  readonly going: readonly Dependent[];
  /** What stays, since it has other owners as well. */
  readonly shared: readonly Dependent[];
  /** Generations of those that go. */
  readonly generations: number;
  /** There are more than were looked for. */
  readonly isMore: boolean;
  readonly unread: Unread;
}

/** Objects and generations that are looked for before a deletion. */
const MOST_FOUND = 500;
const MOST_GENERATIONS = 20;
/** With it, an object lets its own dependents go before it goes. */
const ORPHAN = 'orphan';

/**
 * What goes when the objects of these uids go: the objects all of whose owners
 * go, and so on. Other owners count as staying.
 *
 * @param namespace of the objects; empty: they have none, or several
 * @throws Refused, Unreachable
 */
export async function descendantsOf(
  uids: readonly string[],
  kinds: readonly Kind[],
  namespace: string,
  signal?: AbortSignal,
): Promise<Descendants> {
  const roots = new Set(uids);
  const family = new Family(roots);
  const unread: Unread[] = [];
  let [frontier, isMore] = [uids, false];
  let direct: readonly Dependent[] = [];
  for (let generation = 0; frontier.length > 0; generation++) {
    if (family.size >= MOST_FOUND || generation === MOST_GENERATIONS) {
      isMore = true;
      break;
    }
    const found = await dependentsOf(frontier, kinds, namespace, signal);
    const dependents = found.dependents.filter(({ uid }) => !roots.has(uid));
    if (generation === 0) direct = dependents;
    isMore ||= found.isMore;
    unread.push(found.unread);
    const more = family.add(dependents);
    frontier = more.filter(({ finalizers }) => !finalizers.includes(ORPHAN)).map(({ uid }) => uid);
  }
  const { going, shared, generations } = family;
  return { direct, going, shared, generations, isMore, unread: unreadOf(unread) };
}

/** Several families as one. */
export function allDescendants(all: readonly Descendants[]): Descendants {
  return {
    direct: all.flatMap(({ direct }) => direct),
    going: all.flatMap(({ going }) => going),
    shared: all.flatMap(({ shared }) => shared),
    generations: Math.max(0, ...all.map(({ generations }) => generations)),
    isMore: all.some(({ isMore }) => isMore),
    unread: unreadOf(all.map(({ unread }) => unread)),
  };
}

class Family {
  readonly going: Dependent[] = [];
  generations = 0;
  /** By uid, the generation of what goes; the objects themselves are the first, 0. */
  readonly #gone: Map<string, number>;
  readonly #shared = new Map<string, Dependent>();

  constructor(roots: ReadonlySet<string>) {
    this.#gone = new Map([...roots].map((uid) => [uid, 0]));
  }

  get size(): number {
    return this.going.length + this.#shared.size;
  }

  get shared(): readonly Dependent[] {
    return [...this.#shared.values()];
  }

  /** Takes in what was found; the answer: what goes, which was not known to go before. */
  add(found: readonly Dependent[]): Dependent[] {
    for (const each of found) if (!this.#gone.has(each.uid)) this.#shared.set(each.uid, each);
    const before = this.going.length;
    for (let has = true; has;) {
      has = false;
      for (const [uid, each] of this.#shared) {
        const above = each.owners.map((owner) => this.#gone.get(owner));
        if (above.includes(undefined)) continue;
        const generation = Math.max(...above.map((of = 0) => of)) + 1;
        this.generations = Math.max(this.generations, generation);
        this.#shared.delete(uid);
        this.#gone.set(uid, generation);
        this.going.push(each);
        has = true;
      }
    }
    return this.going.slice(before);
  }
}
