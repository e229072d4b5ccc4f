import { Follower } from '../../watch/follower.ts';
import type { GroupResource } from '../../api/group-version.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, type ObjectSchema } from '../../resources/object-of.ts';
import { resourcePrefix } from '../../storage/keys.ts';
import type { Entry } from '../../watch/entry.ts';
import type { Replica } from '../../watch/replica.ts';

interface FollowedListOptions<O extends ApiObject, T> {
  readonly replica: Replica;
  readonly resource: GroupResource;
  /** What the objects of the resource are decoded by. */
  readonly schema: ObjectSchema<O>;
  /** Makes something of an object; the object is its own to keep. */
  readonly compile: (object: O) => T;
  /** Told of objects that cannot be read or compiled; they are not in the list. */
  readonly onProblem: (message: string, error: unknown) => void;
}

/**
 * What is made of the objects of a resource, in the order of their keys. Follows
 * the replica: it is never older than what this server shows, and an object is
 * compiled once for each of its versions.
 */
export class FollowedList<O extends ApiObject, T> {
  readonly #options: FollowedListOptions<O, T>;
  readonly #follower: Follower;
  readonly #compiled = new Map<string, T>();
  #list: readonly T[] = [];

  constructor(options: FollowedListOptions<O, T>) {
    this.#options = options;
    this.#follower = new Follower(options.replica, resourcePrefix(options.resource));
  }

  /** The same list until something changes. */
  current(): readonly T[] {
    if (this.#follower.behind && this.#catchUp()) {
      const keys = [...this.#compiled.keys()].sort((a, b) => (a < b ? -1 : 1));
      this.#list = keys.map((key) => this.#compiled.get(key) as T);
    }
    return this.#list;
  }

  #catchUp(): boolean {
    const changes = this.#follower.changes();
    if (changes.all) {
      this.#compiled.clear();
      for (const entry of changes.items.range('')) this.#put(entry);
      return true;
    }
    for (const { type, entry } of changes.events) {
      if (type === 'DELETED') this.#compiled.delete(entry.key);
      else this.#put(entry);
    }
    return changes.events.length > 0;
  }

  #put(entry: Entry): void {
    const { schema, compile, resource, onProblem } = this.#options;
    try {
      this.#compiled.set(entry.key, compile(objectOf(schema, entry.object())));
    } catch (error) {
      this.#compiled.delete(entry.key);
      onProblem(`${resource.resource} ${JSON.stringify(entry.key)} cannot be used`, error);
    }
  }
}
