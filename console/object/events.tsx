import type { JSX } from 'preact';
import { getJson } from '../api/http.ts';
import { at, listAt, shortText, textAt, type Json } from '../api/json.ts';
import { Age } from '../parts/time.tsx';
import { useReading } from '../parts/reading.ts';

/** Events that are shown. */
const MOST = 30;

/** What was reported about an object. */
export function Events({ object }: { readonly object: Json }): JSX.Element {
  const uid = textAt(object, 'metadata', 'uid');
  const namespace = textAt(object, 'metadata', 'namespace');
  const revision = textAt(object, 'metadata', 'resourceVersion');
  const { state } = useReading(
    async (signal) => {
      const within = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
      const query = new URLSearchParams({
        fieldSelector: `involvedObject.uid=${uid}`,
        limit: '200',
      });
      const list = await getJson(`/api/v1${within}/events?${query.toString()}`, { signal });
      return listAt(list, 'items').sort((a, b) => lastTime(b).localeCompare(lastTime(a)));
    },
    [uid, revision],
  );
  const events = state.value.value ?? [];
  return (
    <section class="card">
      <h2>Events</h2>
      {state.value.error !== undefined && <p class="dim">{state.value.error.message}</p>}
      {state.value.value !== undefined && events.length === 0 && (
        <p class="dim">Nothing was reported in the last hour.</p>
      )}
      <ul class="conditions">
        {events.slice(0, MOST).map((event) => (
          <li key={textAt(event, 'metadata', 'uid')}>
            <span class={`state ${textAt(event, 'type') === 'Warning' ? 'bad' : ''}`}>
              {textAt(event, 'type')}
            </span>
            <strong>{textAt(event, 'reason')}</strong>
            {Number(at(event, 'count') ?? 1) > 1 && (
              <span class="dim">×{shortText(at(event, 'count'))}</span>
            )}
            <span class="dim">
              <Age time={lastTime(event)} /> ago
            </span>
            <p>{textAt(event, 'message')}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function lastTime(event: Json): string {
  return (
    textAt(event, 'lastTimestamp') ||
    textAt(event, 'series', 'lastObservedTime') ||
    textAt(event, 'eventTime') ||
    textAt(event, 'metadata', 'creationTimestamp')
  );
}
