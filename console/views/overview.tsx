import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { getJson } from '../api/http.ts';
import { at, jsonOf } from '../api/json.ts';
import { pathOf, rankOf, type Kind } from '../api/kind.ts';
import { inTurns } from '../parts/turns.ts';
import { kinds } from '../state/catalog.ts';
import { follow, refOf, type ChangeType } from '../state/live.ts';
import { may } from '../state/rights.ts';
import { tableHash } from '../state/route.ts';
import { rowsOf } from '../table/rows.ts';
import { KindName } from '../parts/kind-name.tsx';
import { Health } from './health.tsx';
import { LiveLog, type LogEntry } from './live-log.tsx';

/** Changes that the log keeps. */
const MOST_ENTRIES = 100;
/** Pause between two drawings of changes. */
const DRAW_EVERY_MS = 400;
/** Kinds that are followed: a stream takes up to 100, and others need some. */
const MOST_FOLLOWED = 80;
/** How often the health is read. */
const HEALTH_EVERY_MS = 15_000;
/** Kinds that change all the time by themselves. */
const RESTLESS = new Set(['leases', 'leasecandidates', 'events']);

const NUMBER = new Intl.NumberFormat();
const keyOf = ({ plural, group }: Kind): string => `${plural}.${group}`;

/** Everything at a glance, live. */
export function Overview(): JSX.Element {
  const counts = useSignal<ReadonlyMap<string, number>>(new Map());
  const entries = useSignal<readonly LogEntry[]>([]);
  const isListening = useSignal(false);
  const round = useSignal(0);
  const listed = useComputed(() =>
    (kinds.value ?? []).filter((kind) => kind.verbs.has('list') && may('list', kind)),
  );
  const names = listed.value.map(keyOf).join();

  useEffect(() => {
    let isOver = false;
    isListening.value = false;
    const all = listed.peek();
    const count = async (kind: Kind): Promise<void> => {
      const answer = await getJson(`${pathOf(kind)}?count=true`);
      if (!isOver)
        counts.value = new Map(counts.value).set(keyOf(kind), Number(at(answer, 'count') ?? 0));
    };
    const listening = (): void => {
      isListening.value = true;
    };
    const follower = followAll(all, { recount: count, listening }, (changes, sums) => {
      entries.value = [...changes, ...entries.value].slice(0, MOST_ENTRIES);
      const next = new Map(counts.value);
      for (const [key, sum] of sums)
        if (next.has(key)) next.set(key, Math.max(0, (next.get(key) ?? 0) + sum));
      counts.value = next;
    });
    void inTurns(all, count);
    return () => {
      isOver = true;
      follower();
    };
  }, [names]);
  useEffect(() => {
    const timer = setInterval(() => (round.value += 1), HEALTH_EVERY_MS);
    return () => clearInterval(timer);
  }, []);

  const full = listed.value.filter((kind) => (counts.value.get(keyOf(kind)) ?? 0) > 0);
  const empty = listed.value.filter((kind) => counts.value.get(keyOf(kind)) === 0);
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Overview</h1>
      </header>
      <div class="summary">
        <div class="column">
          <ul class="tiles">
            {sorted(full).map((kind) => (
              <li key={keyOf(kind)}>
                <a href={tableHash(kind)}>
                  <strong>{NUMBER.format(counts.value.get(keyOf(kind)) ?? 0)}</strong>
                  <KindName name={kind.kind} />
                  <small class="dim">{kind.group === '' ? 'core' : kind.group}</small>
                </a>
              </li>
            ))}
          </ul>
          {empty.length > 0 && (
            <details class="card">
              <summary>{empty.length} kinds without objects</summary>
              <p class="chips">
                {empty.map((kind) => (
                  <a key={keyOf(kind)} class="chip" href={tableHash(kind)}>
                    {kind.kind}
                  </a>
                ))}
              </p>
            </details>
          )}
        </div>
        <div class="column">
          <Health round={round.value} />
          <LiveLog entries={entries} isListening={isListening} />
        </div>
      </div>
    </section>
  );
}

function sorted(list: readonly Kind[]): Kind[] {
  return [...list].sort(
    (a, b) => rankOf(a.group) - rankOf(b.group) || a.kind.localeCompare(b.kind),
  );
}

interface Told {
  /** Changes of a kind may have been missed. */
  readonly recount: (kind: Kind) => Promise<void>;
  /** The server has taken in every subscription. */
  readonly listening: () => void;
}

/**
 * Follows the changes of kinds; hands over the newest first, and by how much each
 * count has changed.
 */
function followAll(
  all: readonly Kind[],
  { recount, listening }: Told,
  draw: (entries: readonly LogEntry[], sums: ReadonlyMap<string, number>) => void,
): () => void {
  let pending: LogEntry[] = [];
  let sums = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let number = 0;
  const flush = (): void => {
    timer = undefined;
    draw(pending.slice(-MOST_ENTRIES).reverse(), sums);
    pending = [];
    sums = new Map();
  };
  const hear = (kind: Kind, type: ChangeType, table: Parameters<typeof rowsOf>[0]): void => {
    const step = type === 'ADDED' ? 1 : type === 'DELETED' ? -1 : 0;
    if (step !== 0) sums.set(keyOf(kind), (sums.get(keyOf(kind)) ?? 0) + step);
    for (const { namespace, name } of RESTLESS.has(kind.plural) ? [] : rowsOf(table)) {
      number += 1;
      pending.push({ ...{ number, type, kind, namespace, name }, time: new Date().toISOString() });
    }
    timer ??= setTimeout(flush, DRAW_EVERY_MS);
  };
  const followed = all
    .filter((kind) => kind.verbs.has('watch') && may('watch', kind))
    .slice(0, MOST_FOLLOWED);
  const waiting = new Set<Kind>();
  const ends = followed.map((kind) => {
    let begins = 0;
    waiting.add(kind);
    return follow({ ref: refOf(kind), isFromNow: true, as: 'Table' }, (event) => {
      if (event.type === 'RESET' && begins++ > 0) void recount(kind).catch(() => undefined);
      if (event.type === 'SYNCED' || event.type === 'ERROR') {
        waiting.delete(kind);
        if (waiting.size === 0) listening();
      }
      if ('object' in event) hear(kind, event.type, jsonOf(event.object));
    });
  });
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
  };
}
