import { parseStoredJson } from '../../api/json-parse.ts';
import type { Revision } from '../../api/revision.ts';
import type { Store } from '../../storage/interface.ts';

/** An object at one revision, as far as the checks look at it. */
interface Version {
  readonly name: string;
  readonly namespace: string;
  readonly revision: bigint;
  readonly labels: Record<string, string>;
}

interface Change {
  readonly key: string;
  readonly revision: bigint;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

export type Selected = (labels: Record<string, string>) => boolean;

/** What really happened to a resource: the store's own log, read from the store itself. */
export class TrueHistory {
  /** What was there before the first change. */
  readonly base = new Map<string, Version>();
  readonly changes: Change[] = [];

  /** Reads the state at `from` and everything after it, up to the present. */
  static async read(store: Store, prefix: string, from: bigint): Promise<TrueHistory> {
    const history = new TrueHistory();
    const { items } = await store.list({ prefix, limit: 10_000, revision: from as Revision });
    for (const item of items) {
      const key = item.key.slice(prefix.length);
      history.base.set(key, versionOf(key, item.value, item.revision));
    }
    const end = await store.currentRevision();
    const stop = new AbortController();
    const events = store.watch({ prefix: '', from: (from + 1n) as Revision, signal: stop.signal });
    // something has to come after the end, or a quiet store would keep the watch waiting
    await store.create('~end', Buffer.from('{}'));
    for await (const batch of events) {
      for (const event of batch.events) {
        if (!event.key.startsWith(prefix)) continue;
        const key = event.key.slice(prefix.length);
        history.changes.push({
          key,
          revision: event.revision,
          before: event.previous && versionOf(key, event.previous.value, event.previous.revision),
          after: event.type === 'put' ? versionOf(key, event.value, event.revision) : undefined,
        });
      }
      if (batch.revision >= end) break;
    }
    stop.abort();
    return history;
  }

  /** The objects at a revision, in key order, as `key@revision`. */
  stateAt(revision: bigint, selected: Selected): string[] {
    const state = new Map(this.base);
    for (const change of this.changes) {
      if (change.revision > revision) break;
      if (change.after === undefined) state.delete(change.key);
      else state.set(change.key, change.after);
    }
    return [...state]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .filter(([, version]) => selected(version.labels))
      .map(([key, version]) => `${key}@${version.revision}`);
  }

  /** What a watcher sees from one revision (exclusive) to another (inclusive), as `TYPE key@revision`. */
  eventsBetween(after: bigint, until: bigint, selected: Selected): string[] {
    const events: string[] = [];
    for (const change of this.changes) {
      if (change.revision <= after || change.revision > until) continue;
      const was = change.before !== undefined && selected(change.before.labels);
      const is = change.after !== undefined && selected(change.after.labels);
      if (!was && !is) continue;
      const type = !was ? 'ADDED' : is ? 'MODIFIED' : 'DELETED';
      events.push(`${type} ${change.key}@${change.revision}`);
    }
    return events;
  }
}

function versionOf(key: string, value: Buffer, revision: bigint): Version {
  const { metadata } = parseStoredJson(value) as any;
  const [namespace, name] = key.includes('/') ? key.split('/') : ['', key];
  return { name: name!, namespace: namespace!, revision, labels: metadata.labels ?? {} };
}
