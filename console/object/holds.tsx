import type { JSX } from 'preact';
import { listAt, textAt, type Json } from '../api/json.ts';
import type { Kind } from '../api/kind.ts';
import { useReading } from '../parts/reading.ts';
import { Loading, Notice } from '../parts/notice.tsx';
import { Moment } from '../parts/time.tsx';
import { kinds } from '../state/catalog.ts';
import { objectHash } from '../state/route.ts';
import { dependentsOf } from './dependents.ts';
import { contentsOf } from './contents.ts';

/** What holds a deletion, or would hold it. */
export function Holds({
  kind,
  object,
}: {
  readonly kind: Kind;
  readonly object: Json;
}): JSX.Element {
  const uid = textAt(object, 'metadata', 'uid');
  const name = textAt(object, 'metadata', 'name');
  const namespace = textAt(object, 'metadata', 'namespace');
  const revision = textAt(object, 'metadata', 'resourceVersion');
  const since = textAt(object, 'metadata', 'deletionTimestamp');
  const finalizers = [
    ...listAt(object, 'metadata', 'finalizers').map(String),
    ...(kind.kind === 'Namespace' ? listAt(object, 'spec', 'finalizers').map(String) : []),
  ];
  const { state } = useReading(
    async (signal) => ({
      found: await dependentsOf([uid], kinds.value ?? [], namespace, signal),
      contents: kind.kind === 'Namespace' ? await contentsOf(kinds.value ?? [], name) : [],
    }),
    [uid, revision],
  );
  if (state.value.value === undefined) return <Loading />;
  const { found, contents } = state.value.value;
  const blocking = found.dependents.filter(({ isBlocking }) => isBlocking);
  if (finalizers.length + blocking.length + contents.length === 0) {
    return (
      <Notice title="Nothing holds a deletion">
        It has no finalizers, no blocking dependents and no contents.
      </Notice>
    );
  }
  return (
    <div class="summary">
      <div class="column">
        {since !== '' && (
          <section class="card warn">
            <h2>Being deleted</h2>
            <p>
              The deletion was asked for <Moment time={since} />. The object stays until everything
              below is gone.
            </p>
          </section>
        )}
        {finalizers.length > 0 && (
          <section class="card">
            <h2>Finalizers</h2>
            <p class="dim">
              Each one is removed by the controller that it belongs to, when its work is done.
            </p>
            <ul class="paths">
              {finalizers.map((each) => (
                <li key={each}>
                  <code>{each}</code>
                </li>
              ))}
            </ul>
          </section>
        )}
        {blocking.length > 0 && (
          <section class="card">
            <h2>Blocking dependents</h2>
            <p class="dim">A deletion in the foreground waits for these.</p>
            <ul class="paths">
              {blocking.map((each) => (
                <li key={each.uid}>
                  <a href={objectHash(each.kind, each.namespace, each.name)}>{each.name}</a>{' '}
                  <span class="dim">{each.kind.kind}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {contents.length > 0 && (
          <section class="card">
            <h2>Contents of the namespace</h2>
            <ul class="paths">
              {contents.map(([of, count]) => (
                <li key={`${of.plural}.${of.group}`}>
                  {of.kind} <span class="dim">{count}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}
