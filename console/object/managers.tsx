import type { JSX } from 'preact';
import { listAt, textAt, type Json } from '../api/json.ts';
import { Moment } from '../parts/time.tsx';
import { Notice } from '../parts/notice.tsx';
import { fieldsOf } from './managed-fields.ts';

/** Who has set which fields. */
export function Managers({ object }: { readonly object: Json }): JSX.Element {
  const entries = listAt(object, 'metadata', 'managedFields');
  if (entries.length === 0) {
    return (
      <Notice title="No managed fields">
        The server tracks no owners of the fields of this object.
      </Notice>
    );
  }
  return (
    <div class="managers">
      {entries.map((entry, i) => {
        const time = textAt(entry, 'time');
        const subresource = textAt(entry, 'subresource');
        const fields = fieldsOf(entry);
        return (
          <section key={i} class="card">
            <h2>{textAt(entry, 'manager') || 'unknown manager'}</h2>
            <p class="dim">
              {textAt(entry, 'operation')} as {textAt(entry, 'apiVersion')}
              {subresource !== '' && ` to ${subresource}`}
              {time !== '' && (
                <>
                  {' · '}
                  <Moment time={time} />
                </>
              )}
            </p>
            <ul class="paths">
              {fields.map((field) => (
                <li key={field}>
                  <code>{field}</code>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
