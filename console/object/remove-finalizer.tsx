import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Refused, send, sentenceOf } from '../api/http.ts';
import { listAt, textAt, type Json } from '../api/json.ts';
import { pathOf, type Kind } from '../api/kind.ts';
import { say } from '../parts/announce.ts';
import { Answer } from '../parts/answer.tsx';
import { Dialog } from '../parts/dialog.tsx';

interface RemoveFinalizerProps {
  readonly kind: Kind;
  readonly object: Json;
  readonly finalizer: string;
  readonly close: () => void;
}

const CONFLICT = 409;

/** Asks before a finalizer is removed, and says what that means. */
export function RemoveFinalizer({
  kind,
  object,
  finalizer,
  close,
}: RemoveFinalizerProps): JSX.Element {
  const error = useSignal('');
  const isBusy = useSignal(false);
  const name = textAt(object, 'metadata', 'name');
  const others = listAt(object, 'metadata', 'finalizers').filter((each) => each !== finalizer);
  const isDeleted = textAt(object, 'metadata', 'deletionTimestamp') !== '';
  const remove = async (): Promise<void> => {
    isBusy.value = true;
    try {
      const path = pathOf(kind, textAt(object, 'metadata', 'namespace'), name);
      // the object as it is shown: neither a later one nor another of the name
      const resourceVersion = textAt(object, 'metadata', 'resourceVersion');
      await send('PATCH', `${path}?fieldManager=plinth-console`, {
        type: 'application/merge-patch+json',
        body: JSON.stringify({ metadata: { resourceVersion, finalizers: others } }),
      });
      say(`Removed the finalizer ${finalizer}`);
      close();
    } catch (failure) {
      const isStale = failure instanceof Refused && failure.code === CONFLICT;
      error.value = isStale
        ? 'The object has changed meanwhile. Look at it again, and remove the finalizer then.'
        : sentenceOf(failure);
      isBusy.value = false;
    }
  };
  return (
    <Dialog title="Remove the finalizer?" close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void remove();
        }}
      >
        <p>
          <code>{finalizer}</code> of {kind.kind} {name}
        </p>
        <p>
          Its controller does not get to do what it holds the object for, such as removing things
          outside of this server. Remove it only when the controller is gone or stuck.
        </p>
        {isDeleted && others.length === 0 && <p>It is the last one: the object goes at once.</p>}
        <Answer
          label="Remove"
          busyLabel="Removing…"
          isBusy={isBusy.value}
          error={error.value}
          isDangerous
          cancel={close}
        />
      </form>
    </Dialog>
  );
}
