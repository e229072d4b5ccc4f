import type { ReferenceClient } from '../../support/etcd3-client.ts';
import type { WatchEvent } from '../../../storage/etcd/wire.ts';
import type { Content } from '../checker/history.ts';
import { Truth, type TruthEvent } from '../checker/truth.ts';
import type { ChaosCluster } from './cluster.ts';

const NOTHING = Buffer.from('/nothing');
const ALL = { key: Buffer.from([0]), rangeEnd: Buffer.from([0]) };

/**
 * Writes down etcd's own history of some keys, piece by piece, before anything
 * compacts it away.
 */
export class TruthCollector {
  readonly #cluster: ChaosCluster;
  readonly #prefix: string;
  readonly #events: TruthEvent[] = [];
  #end = 0n;

  /** @param prefix of the keys; what is behind it names them in the truth */
  constructor(cluster: ChaosCluster, prefix: string) {
    this.#cluster = cluster;
    this.#prefix = prefix;
  }

  /** From now on; the keys have to be empty. */
  async begin(): Promise<void> {
    const admin = await this.#cluster.admin();
    this.#end = await admin.reference(newestRevision);
  }

  /** Everything up to now. @returns the revision up to which all is known, which may be compacted */
  async collect(): Promise<bigint> {
    const admin = await this.#cluster.admin();
    const from = this.#end + 1n;
    const { events, end } = await admin.reference(async (client) => {
      // Every revision has an event of some key, so that the newest one tells the end.
      const newest = await newestRevision(client);
      const found: WatchEvent[] = [];
      if (newest < from) return { events: found, end: this.#end };
      await client.watch({ ...ALL, startRevision: from, fragment: true }, (responses) => {
        const last = responses.at(-1)!;
        if (last.canceled) throw new Error(`the truth from ${from} is gone: ${last.cancelReason}`);
        found.push(...last.events);
        return !last.fragment && (last.events.at(-1)?.kv.modRevision ?? 0n) >= newest;
      });
      return { events: found, end: newest };
    });
    for (const event of events) {
      const name = event.kv.key.toString();
      if (event.kv.modRevision > end || !name.startsWith(this.#prefix)) continue;
      this.#events.push({
        key: name.slice(this.#prefix.length),
        revision: event.kv.modRevision,
        content: event.deleted ? undefined : contentOf(event.kv.value),
      });
    }
    this.#end = end;
    return end;
  }

  /** What is known, compared with what is there in the end. */
  async finish(): Promise<Truth> {
    await this.collect();
    const truth = new Truth(this.#events, this.#end);
    const admin = await this.#cluster.admin();
    const prefix = Buffer.from(this.#prefix);
    const end = Buffer.from(prefix);
    end[end.length - 1]!++;
    const { kvs } = await admin.reference((client) =>
      client.range({ key: prefix, rangeEnd: end, revision: truth.end }),
    );
    const state = truth.snapshot(truth.end);
    const told = kvs.map(({ key, modRevision }) => `${key.toString()}@${modRevision}`).sort();
    const folded = [...state.values()].map((v) => `${this.#prefix}${v.key}@${v.revision}`).sort();
    if (told.join() !== folded.join()) {
      throw new Error(`etcd contradicts itself: history ${folded.join()}, state ${told.join()}`);
    }
    return truth;
  }
}

async function newestRevision(client: ReferenceClient): Promise<bigint> {
  return (await client.range({ key: NOTHING, keysOnly: true })).header.revision;
}

function contentOf(stored: Buffer): Content {
  return contentOfNote(JSON.parse(stored.toString()));
}

/** What the checker looks at, of a Note. */
export function contentOfNote(note: any): Content {
  return {
    value: note.spec?.value ?? '',
    color: note.spec?.color ?? '',
  };
}
