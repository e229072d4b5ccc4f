import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Kind } from '../api/kind.ts';
import { Age } from '../parts/time.tsx';
import { connection } from '../state/live.ts';
import { objectHash } from '../state/route.ts';

/** A change as the log shows it. */
export interface LogEntry {
  readonly number: number;
  readonly time: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/** Changes before this time were not followed for a while. */
export interface LogGap {
  readonly number: number;
  readonly time: string;
  readonly type: 'GAP';
}

const WORDS = { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' } as const;
const TONES = { ADDED: 'good', MODIFIED: '', DELETED: 'bad' } as const;

/** The last changes, the newest first. */
export function LiveLog({
  entries,
  isListening,
  isFollowing,
  note,
}: {
  readonly entries: Signal<readonly (LogEntry | LogGap)[]>;
  /** No change is missed from now on. */
  readonly isListening: Signal<boolean>;
  /** Some kind is followed. */
  readonly isFollowing: boolean;
  /** What is not followed, and why. */
  readonly note: string;
}): JSX.Element {
  const isDown = connection.value === 'lost' || connection.value === 'refused';
  const state = isDown
    ? 'Changes are not heard: there is no connection.'
    : isListening.value
      ? 'Changes appear here as they happen.'
      : 'Connecting…';
  return (
    <section class="card log" aria-busy={!isListening.value}>
      <h2>Recent changes</h2>
      {entries.value.length === 0 && isFollowing && <p class="dim">{state}</p>}
      {note !== '' && <p class="dim">{note}</p>}
      <ol>
        {entries.value.map((entry) =>
          entry.type === 'GAP' ? (
            <li key={entry.number} class="gap dim">
              Changes in between were not followed.
            </li>
          ) : (
            <Change key={entry.number} entry={entry} />
          ),
        )}
      </ol>
    </section>
  );
}

function Change({
  entry: { time, type, kind, namespace, name },
}: {
  readonly entry: LogEntry;
}): JSX.Element {
  return (
    <li>
      <span class="dim">
        <Age time={time} />
      </span>
      <span class={`state ${TONES[type]}`}>{WORDS[type]}</span>
      <span class="what">
        <span class="dim">{kind.kind}</span>{' '}
        <a href={objectHash(kind, namespace, name)}>
          {namespace === '' ? name : `${namespace}/${name}`}
        </a>
      </span>
    </li>
  );
}
