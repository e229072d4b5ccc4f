import { signal } from '@preact/signals';
import { getJson, sentenceOf } from '../api/http.ts';
import { at, jsonOf, textAt } from '../api/json.ts';
import { groupResource, isRestless, pathOf, type Kind } from '../api/kind.ts';
import { follow, refOf, type ChangeType } from '../state/live.ts';
import { rowsOf } from '../table/rows.ts';
import type { LogEntry, LogGap } from './live-log.tsx';

/** Changes that the log keeps. */
const MOST_ENTRIES = 100;
/** Pause between two drawings of changes. */
const DRAW_EVERY_MS = 400;
/** Requests for counts that are on their way at a time. */
const AT_ONCE = 6;

interface OverviewOptions {
  /** Kinds whose changes and counts are followed. */
  readonly followed: readonly Kind[];
  /** Empty: everywhere. */
  readonly namespace: string;
  /** What another model has found out before. */
  readonly before: OverviewModel | undefined;
}

/** Numbers of objects and recent changes of many kinds. */
export class OverviewModel {
  /** By {@link groupResource}; a kind is missing until it is counted. */
  readonly counts = signal<ReadonlyMap<string, number>>(new Map());
  /** Why kinds could not be counted, by {@link groupResource}. */
  readonly failures = signal<ReadonlyMap<string, string>>(new Map());
  /** The newest first. */
  readonly entries = signal<readonly (LogEntry | LogGap)[]>([]);
  /** No change of a followed kind is missed from now on. */
  readonly isListening = signal(false);
  readonly #namespace: string;
  readonly #ends: (() => void)[];
  /** Kinds that wait to be counted. */
  readonly #wanted = new Set<Kind>();
  #underWay = 0;
  #counted = new Map<string, number>();
  /** The revision of each count. */
  readonly #revisions = new Map<string, bigint>();
  /** Changes that came while a kind is counted: how far they are in the count, its revision tells. */
  readonly #meanwhile = new Map<string, { readonly revision: bigint; readonly step: number }[]>();
  #pending: LogEntry[] = [];
  #number = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor({ followed, namespace, before }: OverviewOptions) {
    this.#namespace = namespace;
    if (before !== undefined) {
      this.counts.value = before.counts.value;
      this.entries.value = before.entries.value;
      this.#number = before.#number;
      if (before.#isClosed && this.entries.value.length > 0) {
        const gap = {
          number: ++this.#number,
          type: 'GAP',
          time: new Date().toISOString(),
        } as const;
        this.entries.value = [gap, ...this.entries.value];
      }
    }
    const waiting = new Set(followed);
    this.isListening.value = waiting.size === 0;
    this.#ends = followed.map((kind) => {
      let begins = 0;
      const request = { ref: refOf(kind, kind.namespaced ? namespace : ''), isFromNow: true };
      return follow({ ...request, as: 'Table' }, (event) => {
        if (event.type === 'RESET' && begins++ > 0) this.want([kind]);
        if (event.type === 'SYNCED' || event.type === 'ERROR') {
          waiting.delete(kind);
          if (waiting.size === 0) this.isListening.value = true;
        }
        if ('object' in event) this.#hear(kind, event.type, event.object);
      });
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#wanted.clear();
    for (const end of this.#ends) end();
  }

  /** Counts kinds, a few at a time. */
  want(kinds: Iterable<Kind>): void {
    for (const kind of kinds) this.#wanted.add(kind);
    while (this.#underWay < Math.min(AT_ONCE, this.#underWay + this.#wanted.size)) {
      this.#underWay++;
      void this.#countNext();
    }
  }

  /** These need not be counted any more. */
  unwant(kinds: Iterable<Kind>): void {
    for (const kind of kinds) this.#wanted.delete(kind);
  }

  async #countNext(): Promise<void> {
    for (;;) {
      const [kind] = this.#wanted;
      if (kind === undefined || this.#isClosed) break;
      this.#wanted.delete(kind);
      await this.#count(kind);
    }
    this.#underWay--;
  }

  async #count(kind: Kind): Promise<void> {
    const key = groupResource(kind);
    const meanwhile: { readonly revision: bigint; readonly step: number }[] = [];
    this.#meanwhile.set(key, meanwhile);
    try {
      const path = pathOf(kind, kind.namespaced ? this.#namespace : '');
      const answer = await getJson(`${path}?count=true`);
      const revision = revisionOf(textAt(answer, 'metadata', 'resourceVersion'));
      const later = meanwhile.filter((each) => each.revision > revision);
      const count = Number(at(answer, 'count') ?? 0);
      this.#counted.set(
        key,
        later.reduce((sum, { step }) => sum + step, count),
      );
      this.#revisions.set(key, revision);
      this.#setFailure(key, undefined);
    } catch (error) {
      this.#setFailure(key, sentenceOf(error));
    }
    this.#meanwhile.delete(key);
    this.#drawLater();
  }

  #setFailure(key: string, why: string | undefined): void {
    const failures = new Map(this.failures.value);
    if (why !== undefined) failures.set(key, why);
    else if (!failures.delete(key)) return;
    this.failures.value = failures;
  }

  #hear(kind: Kind, type: ChangeType, object: Parameters<typeof jsonOf>[0]): void {
    const step = type === 'ADDED' ? 1 : type === 'DELETED' ? -1 : 0;
    for (const { namespace, name, revision } of rowsOf(jsonOf(object))) {
      if (step !== 0) this.#add(groupResource(kind), revisionOf(revision), step);
      if (isRestless(kind)) continue;
      this.#number += 1;
      const time = new Date().toISOString();
      this.#pending.push({ number: this.#number, type, kind, namespace, name, time });
    }
    this.#drawLater();
  }

  /** Changes a count by an object that has come or gone. */
  #add(key: string, revision: bigint, step: number): void {
    this.#meanwhile.get(key)?.push({ revision, step });
    const count = this.#counted.get(key) ?? this.counts.value.get(key);
    const isCounted = revision <= (this.#revisions.get(key) ?? 0n);
    if (count !== undefined && !isCounted) this.#counted.set(key, Math.max(0, count + step));
  }

  #drawLater(): void {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#draw(), DRAW_EVERY_MS);
  }

  #draw(): void {
    this.#timer = undefined;
    if (this.#counted.size > 0) {
      this.counts.value = new Map([...this.counts.value, ...this.#counted]);
      this.#counted = new Map();
    }
    const newest = this.#pending.splice(0).slice(-MOST_ENTRIES).reverse();
    if (newest.length > 0) {
      this.entries.value = [...newest, ...this.entries.value].slice(0, MOST_ENTRIES);
    }
  }
}

/** Some resources have no revisions: everything that is heard of them counts. */
function revisionOf(text: string): bigint {
  return /^\d+$/.test(text) ? BigInt(text) : 0n;
}
