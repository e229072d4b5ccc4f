import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { listAt, textAt, type Json } from '../api/json.ts';
import { groupResource, type Kind } from '../api/kind.ts';
import { useReading } from '../parts/reading.ts';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { Moment } from '../parts/time.tsx';
import { kinds } from '../state/catalog.ts';
import { may } from '../state/rights.ts';
import { objectHash } from '../state/route.ts';
import { dependentsOf } from './dependents.ts';
import { isNamespace } from './consequences.ts';
import { contentsOf, type Contents } from './contents.ts';
import { isUnread } from './going.ts';
import { NotRead } from './going-lists.tsx';
import { unreadOf } from '../api/lists.ts';
import { RemoveFinalizer } from './remove-finalizer.tsx';

const NOTHING: Contents = { counts: [], unread: unreadOf([]) };

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
  const own = listAt(object, 'metadata', 'finalizers').map(String);
  const ofNamespace = isNamespace(kind) ? listAt(object, 'spec', 'finalizers').map(String) : [];
  const finalizers = [...own, ...ofNamespace];
  const { state, again } = useReading(
    async (signal) => ({
      found: await dependentsOf([uid], kinds.value ?? [], namespace, signal),
      contents: isNamespace(kind) ? await contentsOf(kinds.value ?? [], name, signal) : NOTHING,
    }),
    [uid, revision],
  );
  const { value, error } = state.value;
  if (value === undefined) {
    return error === undefined ? <Loading /> : <Failure error={error} retry={again} />;
  }
  const { found, contents } = value;
  const blocking = found.dependents.filter(({ isBlocking }) => isBlocking);
  const unread = unreadOf([found.unread, contents.unread]);
  if (finalizers.length + blocking.length + contents.counts.length === 0) {
    return isUnread(unread) ? (
      <Notice title="Nothing is known to hold a deletion">
        <p>It has no finalizers. Objects of some kinds could hold it.</p>
        <NotRead unread={unread} />
      </Notice>
    ) : (
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
          <Finalizers kind={kind} object={object} own={own} ofNamespace={ofNamespace} />
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
        {contents.counts.length > 0 && (
          <section class="card">
            <h2>Contents of the namespace</h2>
            <ul class="paths">
              {contents.counts.map(({ kind: of, count }) => (
                <li key={groupResource(of)}>
                  {of.kind} <span class="dim">{count}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <NotRead unread={unread} />
      </div>
    </div>
  );
}

interface FinalizersProps {
  readonly kind: Kind;
  readonly object: Json;
  /** Those that any client may remove. */
  readonly own: readonly string[];
  /** Those that the server removes when the namespace is empty. */
  readonly ofNamespace: readonly string[];
}

function Finalizers({ kind, object, own, ofNamespace }: FinalizersProps): JSX.Element {
  const chosen = useSignal<string | undefined>(undefined);
  const [namespace, name] = [
    textAt(object, 'metadata', 'namespace'),
    textAt(object, 'metadata', 'name'),
  ];
  const mayRemove = may('patch', kind, namespace, name);
  return (
    <section class="card">
      <h2>Finalizers</h2>
      <p class="dim">
        Each one is removed by the controller that it belongs to, when its work is done.
      </p>
      <ul class="paths">
        {own.map((each) => (
          <li key={each}>
            <code>{each}</code>{' '}
            {mayRemove && (
              <button
                type="button"
                class="quiet danger"
                aria-label={`Remove ${each}`}
                onClick={() => (chosen.value = each)}
              >
                Remove…
              </button>
            )}
          </li>
        ))}
        {ofNamespace.map((each) => (
          <li key={each}>
            <code>{each}</code> <span class="dim">goes when the namespace is empty</span>
          </li>
        ))}
      </ul>
      {chosen.value !== undefined && (
        <RemoveFinalizer
          kind={kind}
          object={object}
          finalizer={chosen.value}
          close={() => (chosen.value = undefined)}
        />
      )}
    </section>
  );
}
