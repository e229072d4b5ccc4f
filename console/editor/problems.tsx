import type { JSX } from 'preact';
import { Refused } from '../api/http.ts';

/** Why the server does not take what was typed, field by field. */
export function Problems({ error }: { readonly error: Error }): JSX.Element {
  const causes = error instanceof Refused ? error.causes : [];
  return (
    <div class="problems" role="alert">
      {causes.length === 0 ? (
        <p class="error">{error.message}</p>
      ) : (
        <ul>
          {causes.map(({ field, message }, i) => (
            <li key={i}>
              <code>{field}</code> <span class="error">{message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
