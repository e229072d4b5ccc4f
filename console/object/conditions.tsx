import type { JSX } from 'preact';
import { listAt, textAt, type Json } from '../api/json.ts';
import { Age } from '../parts/time.tsx';
import { toneOfCondition } from '../parts/tone.ts';

/** What the object's status says about how it is. */
export function Conditions({ object }: { readonly object: Json }): JSX.Element | null {
  const conditions = listAt(object, 'status', 'conditions');
  if (conditions.length === 0) return null;
  return (
    <section class="card">
      <h2>Conditions</h2>
      <ul class="conditions">
        {conditions.map((condition) => {
          const type = textAt(condition, 'type');
          const status = textAt(condition, 'status');
          const time = textAt(condition, 'lastTransitionTime');
          return (
            <li key={type}>
              <span class={`state ${toneOfCondition(type, status)}`}>{status}</span>
              <strong>{type}</strong>
              <span class="dim">{textAt(condition, 'reason')}</span>
              {time !== '' && (
                <span class="dim">
                  <Age time={time} /> ago
                </span>
              )}
              <p>{textAt(condition, 'message')}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
