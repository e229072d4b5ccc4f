import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Kind } from '../api/kind.ts';
import { say } from '../parts/announce.ts';
import { Answer } from '../parts/answer.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useReading } from '../parts/reading.ts';
import { kinds } from '../state/catalog.ts';
import { consequencesOf, isDefinition, isNamespace, type Target } from './consequences.ts';
import type { Descendants } from './descendants.ts';
import { goingBy, isUnread, type Way } from './going.ts';
import { GoingLists, NotRead } from './going-lists.tsx';
import { removeAll } from './remove-all.ts';
import { Ways } from './ways.tsx';

interface DeleteDialogProps {
  readonly kind: Kind;
  readonly targets: readonly Target[];
  readonly close: (isDone: boolean) => void;
}

/** Objects that may go with another without its name being typed. */
const A_HANDFUL = 5;

/** Asks before a deletion and shows what would go with it. */
export function DeleteDialog({ kind, targets: now, close }: DeleteDialogProps): JSX.Element {
  // rows that go meanwhile are no other question
  const [targets] = useState(now);
  const way = useSignal<Way>('Background');
  const typed = useSignal('');
  const error = useSignal('');
  const isBusy = useSignal(false);
  const { state, again } = useReading(
    (signal) => consequencesOf(kind, targets, kinds.value ?? [], signal),
    [],
  );
  const { value: found, error: failure } = state.value;
  const [first] = targets;
  const isOne = targets.length === 1;
  const isSame = targets.every(({ namespace }) => namespace === first?.namespace);
  const [name, what] = isOne
    ? [first?.name ?? '', `${kind.kind} ${first?.name ?? ''}`]
    : [`${targets.length} ${kind.plural}`, `${targets.length} ${kind.plural}`];
  const going = found && goingBy(way.value, isOne, found);
  const isKnown = going !== undefined || failure !== undefined;
  const takesMany =
    isNamespace(kind) ||
    isDefinition(kind) ||
    failure !== undefined ||
    (going?.followers ?? 0) > A_HANDFUL;
  const isReady = isKnown && (!takesMany || typed.value.trim() === name);
  const remove = async (): Promise<void> => {
    isBusy.value = true;
    const [failed, isWaiting] = await removeAll(kind, targets, way.value);
    isBusy.value = false;
    if (failed.length > 0) {
      error.value = failed.slice(0, 5).join('\n');
      return;
    }
    say(isWaiting ? `The deletion of ${what} has begun` : `Deleted ${what}`);
    close(true);
  };
  return (
    <Dialog title={`Delete ${what}?`} close={() => close(false)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isBusy.value) void remove();
        }}
      >
        {!isOne && <p class="dim clamp">{targets.map(({ name: each }) => each).join(', ')}</p>}
        <p role="status">
          {going?.sentence ??
            (failure === undefined
              ? `Looking for what goes with ${isOne ? 'it' : 'them'}…`
              : `What goes with ${isOne ? 'it' : 'them'} is unknown: ${failure.message}`)}
        </p>
        {failure !== undefined && (
          <button type="button" onClick={again}>
            Look again
          </button>
        )}
        {found !== undefined && (
          <GoingLists
            way={way.value}
            isOne={isOne}
            namespace={isSame ? (first?.namespace ?? '') : ''}
            found={found}
          />
        )}
        {going !== undefined && <NotRead unread={going.unread} />}
        {isKnown && (found === undefined || mayOwn(found.owned)) && (
          <Ways way={way} isOne={isOne} direct={found?.owned.direct ?? []} />
        )}
        {isKnown && takesMany && (
          <label>
            <span>
              Type <code>{name}</code> to confirm
            </span>
            <input
              autocomplete="off"
              spellcheck={false}
              value={typed.value}
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
          </label>
        )}
        <Answer
          label="Delete"
          busyLabel="Deleting…"
          isBusy={isBusy.value}
          error={error.value}
          isDangerous
          isWaiting={!isReady}
          cancel={() => close(false)}
        />
      </form>
    </Dialog>
  );
}

function mayOwn({ direct, unread }: Descendants): boolean {
  return direct.length > 0 || isUnread(unread);
}
