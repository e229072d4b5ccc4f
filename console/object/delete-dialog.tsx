import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { send } from '../api/http.ts';
import { pathOf, type Kind } from '../api/kind.ts';
import { say } from '../parts/announce.ts';
import { Answer } from '../parts/answer.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useReading } from '../parts/reading.ts';
import { inTurns } from '../parts/turns.ts';
import { kinds } from '../state/catalog.ts';
import { dependentsOf, type Dependent } from './dependents.ts';

interface Target {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

interface DeleteDialogProps {
  readonly kind: Kind;
  readonly targets: readonly Target[];
  readonly close: (isDone: boolean) => void;
}

const WAYS = [
  ['Background', 'Delete them afterwards', 'The object goes at once, what it owns soon after.'],
  ['Foreground', 'Delete them first', 'The object stays until everything that it owns is gone.'],
  ['Orphan', 'Keep them', 'What it owns stays, without an owner.'],
] as const;

/** Names of dependents that are listed. */
const MOST_SHOWN = 40;

/** Asks before a deletion and shows what would go with it. */
export function DeleteDialog({ kind, targets, close }: DeleteDialogProps): JSX.Element {
  const way = useSignal<string>('Background');
  const error = useSignal('');
  const isBusy = useSignal(false);
  const { state } = useReading(
    (signal) => {
      const uids = targets.map(({ uid }) => uid);
      // the objects of one namespace own objects of this namespace only
      const spaces = new Set(targets.map(({ namespace }) => namespace));
      const [space = ''] = spaces.size === 1 ? spaces : [];
      return dependentsOf(uids, kinds.value ?? [], space, signal);
    },
    [targets.map(({ uid }) => uid).join()],
  );
  const [first] = targets;
  const what =
    targets.length === 1 ? `${kind.kind} ${first?.name ?? ''}` : `${targets.length} ${kind.plural}`;
  const remove = async (): Promise<void> => {
    isBusy.value = true;
    const failed = await inTurns(targets, ({ namespace, name, uid }) =>
      send('DELETE', pathOf(kind, namespace, name), {
        body: JSON.stringify({
          ...{ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: way.value },
          // not another object that has the name meanwhile
          preconditions: { uid },
        }),
      }),
    );
    isBusy.value = false;
    if (failed.length > 0) {
      error.value = failed
        .map(({ item, why }) => `${item.name}: ${why}`)
        .slice(0, 5)
        .join('\n');
      return;
    }
    say(`Deleted ${what}`);
    close(true);
  };
  return (
    <Dialog title={`Delete ${what}?`} close={() => close(false)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void remove();
        }}
      >
        {targets.length > 1 && (
          <p class="dim clamp">{targets.map(({ name }) => name).join(', ')}</p>
        )}
        {kind.kind === 'Namespace' && <p>Everything in the namespace is deleted with it.</p>}
        {kind.kind === 'CustomResourceDefinition' && (
          <p>All objects of this kind are deleted with it.</p>
        )}
        <Going found={state.value.value?.dependents} unread={state.value.value?.unread ?? []} />
        {(state.value.value?.dependents.length ?? 0) > 0 && (
          <fieldset>
            <legend>What it owns</legend>
            {WAYS.map(([id, title, text]) => (
              <label key={id} class="check">
                <input
                  type="radio"
                  name="way"
                  checked={way.value === id}
                  onChange={() => (way.value = id)}
                />
                <span>
                  {title} <small class="dim">{text}</small>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        <Answer
          label="Delete"
          busyLabel="Deleting…"
          isBusy={isBusy.value}
          error={error.value}
          isDangerous
          cancel={() => close(false)}
        />
      </form>
    </Dialog>
  );
}

function Going({
  found,
  unread,
}: {
  readonly found: readonly Dependent[] | undefined;
  readonly unread: readonly string[];
}): JSX.Element {
  if (found === undefined) return <p class="dim">Looking for what it owns…</p>;
  const note = unread.length > 0 && (
    <p class="dim">Not looked at, for lack of rights: {unread.join(', ')}.</p>
  );
  if (found.length === 0) {
    return (
      <>
        <p>It owns no other objects.</p>
        {note}
      </>
    );
  }
  return (
    <>
      <p>
        It owns {found.length} {found.length === 1 ? 'object' : 'objects'}:
      </p>
      <ul class="names">
        {found.slice(0, MOST_SHOWN).map(({ kind, namespace, name, uid }) => (
          <li key={uid}>
            <span class="dim">{kind.kind}</span> {namespace === '' ? name : `${namespace}/${name}`}
          </li>
        ))}
      </ul>
      {found.length > MOST_SHOWN && <p class="dim">and {found.length - MOST_SHOWN} more</p>}
      {note}
    </>
  );
}
