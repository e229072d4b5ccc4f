import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { getJson } from '../api/http.ts';
import { at, listAt, shortText, textAt, type Json } from '../api/json.ts';
import { useReading } from '../parts/reading.ts';
import { Age } from '../parts/time.tsx';
import { FailingNote, failingOf, itemOf, readFailures, type Failures } from './failures.tsx';
import { numberText } from '../parts/numbers.ts';

/** What webhooks and policies have matched on the server that answers. */
export const ACTIVITY_PATH = '/debug/admission';
const READ_EVERY_MS = 5_000;
const OUTCOMES = ['allowed', 'noted', 'refused', 'failed'] as const;
const TONES = { allowed: '', noted: 'busy', refused: 'bad', failed: 'bad' } as const;
const NO_FAILURES: Failures = new Map();

/** What webhooks and policies have matched, as far as it is known. */
export interface Activities {
  readonly items: readonly Json[];
  readonly since: string;
  /** Why it cannot be shown. */
  readonly error: Error | undefined;
  readonly isRead: boolean;
  readonly failures: Failures;
}

/** Reads what webhooks and policies have matched, again and again. */
export function useActivities(): Activities {
  const { state, again } = useReading((signal) => getJson(ACTIVITY_PATH, { signal }), []);
  const failures = useReading(readFailures, []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      again();
      failures.again();
    }, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const { value, error } = state.value;
  return {
    items: listAt(value, 'items'),
    since: textAt(value, 'since'),
    error: value === undefined ? error : undefined,
    isRead: value !== undefined,
    failures: failures.state.value.value ?? NO_FAILURES,
  };
}

interface MatchedProps {
  readonly of: Activities;
  readonly kind: string;
  readonly name: string;
  readonly webhook?: string;
}

/** What one webhook or policy has matched, by resource and verb, and what it refused last. */
export function Matched(props: MatchedProps): JSX.Element {
  const { of, kind, name, webhook = '' } = props;
  return (
    <>
      <FailingNote failing={failingOf({ kind, name, webhook }, of.items, of.failures)} />
      <Counts {...props} />
    </>
  );
}

function Counts({ of, kind, name, webhook = '' }: MatchedProps): JSX.Element | null {
  if (!of.isRead) return null;
  const item = itemOf(of.items, { kind, name, webhook });
  if (item === undefined) return <p class="dim">Has matched nothing yet.</p>;
  const label = `What ${webhook || name} matched`;
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={label}>
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">Matched</th>
              {OUTCOMES.map((outcome) => (
                <th key={outcome} scope="col">
                  {outcome}
                </th>
              ))}
              <th scope="col">mean</th>
              <th scope="col">last</th>
            </tr>
          </thead>
          <tbody>
            {listAt(item, 'matched').map((row, i) => (
              <Row key={i} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      <Refusals item={item} />
    </>
  );
}

function Row({ row }: { readonly row: Json }): JSX.Element {
  const all = OUTCOMES.reduce((sum, outcome) => sum + numberAt(row, outcome), 0);
  const group = textAt(row, 'group');
  return (
    <tr>
      <th scope="row">
        {textAt(row, 'operation').toLowerCase()} <code>{textAt(row, 'resource')}</code>{' '}
        <small class="dim">{group}</small>
      </th>
      {OUTCOMES.map((outcome) => {
        const count = numberAt(row, outcome);
        return (
          <td key={outcome}>
            {count === 0 ? (
              <span class="dim">0</span>
            ) : (
              <span class={TONES[outcome] === '' ? '' : `state ${TONES[outcome]}`}>
                {numberText(count)}
              </span>
            )}
          </td>
        );
      })}
      <td>{durationText(numberAt(row, 'seconds') / Math.max(1, all))}</td>
      <td>
        <Age time={textAt(row, 'lastTime')} />
      </td>
    </tr>
  );
}

function Refusals({ item }: { readonly item: Json }): JSX.Element | null {
  const refusals = listAt(item, 'refusals');
  const hidden = numberAt(item, 'hiddenRefusals');
  if (refusals.length === 0 && hidden === 0) return null;
  return (
    <details class="refusals">
      <summary>Last refusals ({refusals.length + hidden})</summary>
      <ol>
        {refusals.map((refusal, i) => (
          <li key={i}>
            <p class="dim">
              <Age time={textAt(refusal, 'time')} /> ago, {textAt(refusal, 'user')}:{' '}
              {textAt(refusal, 'operation').toLowerCase()} {textAt(refusal, 'resource')}{' '}
              {[textAt(refusal, 'namespace'), textAt(refusal, 'name')].filter(Boolean).join('/')}
            </p>
            <p>{textAt(refusal, 'message')}</p>
          </li>
        ))}
      </ol>
      {hidden > 0 && <p class="dim">{hidden} more are of objects that you may not read.</p>}
    </details>
  );
}

/** Where the counts come from, or why there are none. */
export function ActivityNote({ of }: { readonly of: Activities }): JSX.Element | null {
  if (of.error !== undefined) {
    return <p class="dim">What they matched cannot be shown: {of.error.message}</p>;
  }
  if (!of.isRead) return null;
  return (
    <p class="dim">
      Matches are counted by the server that answers; it began <Age time={of.since} /> ago.
    </p>
  );
}

function numberAt(value: Json, key: string): number {
  return Number(shortText(at(value, key) ?? 0));
}

function durationText(seconds: number): string {
  const ms = seconds * 1_000;
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${numberText(Math.round(ms))} ms`;
}
