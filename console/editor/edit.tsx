import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { errorOf } from '../api/http.ts';
import { textAt } from '../api/json.ts';
import { resourceName } from '../api/kind.ts';
import type { ObjectModel } from '../state/object-model.ts';
import { say } from '../parts/announce.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Failure, Loading } from '../parts/notice.tsx';
import { useReading } from '../parts/reading.ts';
import { CodeBox } from './code-box.tsx';
import { keepDraft, readDraft } from '../state/drafts.ts';
import { Conflicts, Diff } from './review.tsx';
import { attempt, listKeysOf, readForEdit, type Choice, type Outcome } from './save.ts';
import { Problems } from './problems.tsx';

/** Changes an object as text: check, look at the difference, save. */
export function Edit({
  model,
  leave,
}: {
  readonly model: ObjectModel;
  readonly leave: () => void;
}): JSX.Element {
  const { kind, namespace, name } = model;
  const key = `${resourceName(kind)}/${namespace}/${name}`;
  const { state, again } = useReading(async () => {
    const draft = readDraft(key);
    return draft ?? readForEdit(model).then((text) => ({ base: text, text }));
  }, [key]);
  const { value, error } = state.value;
  if (error !== undefined) return <Failure error={error} retry={again} />;
  if (value === undefined) return <Loading />;
  return <Editing key={key} model={model} draftKey={key} start={value} leave={leave} />;
}

interface EditingProps {
  readonly model: ObjectModel;
  readonly draftKey: string;
  readonly start: { readonly base: string; readonly text: string };
  readonly leave: () => void;
}

function Editing({ model, draftKey, start, leave }: EditingProps): JSX.Element {
  const { kind, namespace, name } = model;
  const text = useRef(start.text);
  const base = useRef(start.base);
  const isChanged = useSignal(start.text !== start.base);
  const version = useSignal(0);
  const isBusy = useSignal(false);
  const outcome = useSignal<Outcome | undefined>(undefined);
  const error = useSignal<Error | undefined>(undefined);
  const choices = useSignal<ReadonlyMap<string, Choice>>(new Map());
  const first = useRef(textAt(model.object.value, 'metadata', 'resourceVersion'));
  const isOld = textAt(model.object.value, 'metadata', 'resourceVersion') !== first.current;
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (isChanged.value) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, []);

  const run = async (isDryRun: boolean): Promise<void> => {
    isBusy.value = true;
    error.value = undefined;
    try {
      const made = await attempt({
        ...{ target: { kind, namespace, name }, base: base.current, mine: text.current },
        ...{ keysOf: await listKeysOf(kind), choices: choices.value, isDryRun },
      });
      if (made.kind === 'saved') {
        keepDraft(draftKey, undefined);
        isChanged.value = false;
        say(`Saved ${name}`);
        leave();
      } else if (made.kind === 'nothing') say('Nothing has changed.');
      outcome.value = made.kind === 'nothing' ? undefined : made;
    } catch (failure) {
      // What was typed stays: only the question is closed.
      outcome.value = undefined;
      error.value = errorOf(failure);
    } finally {
      isBusy.value = false;
    }
  };
  const review = (): void => {
    choices.value = new Map();
    void run(true);
  };
  const startAgain = async (): Promise<void> => {
    const fresh = await readForEdit(model).catch((failure: unknown) => {
      error.value = errorOf(failure);
    });
    // what was typed stays
    if (fresh === undefined) return;
    error.value = undefined;
    base.current = text.current = fresh;
    first.current = textAt(model.object.value, 'metadata', 'resourceVersion');
    keepDraft(draftKey, undefined);
    isChanged.value = false;
    version.value += 1;
  };
  return (
    <section class="card flush editor">
      <div class="bar">
        <span class="dim">{isChanged.value ? 'Not saved yet' : 'No changes'}</span>
        {isOld && <span class="state busy">Changed on the server meanwhile</span>}
        <span class="grow" />
        {isChanged.value && (
          <button type="button" class="quiet" onClick={() => void startAgain()}>
            <Icon name="refresh" /> Start again
          </button>
        )}
        <button type="button" class="quiet" onClick={leave}>
          Close
        </button>
        <BusyButton
          type="button"
          class="primary"
          isBusy={isBusy.value}
          disabled={!isChanged.value}
          onClick={review}
        >
          {isBusy.value ? 'Checking…' : 'Review changes'}
        </BusyButton>
      </div>
      {error.value && <Problems error={error.value} />}
      <CodeBox
        kind={kind}
        text={text.current}
        version={version.value}
        label={`YAML of ${name}`}
        onChange={(next) => {
          text.current = next;
          isChanged.value = next !== base.current;
          keepDraft(draftKey, { base: base.current, text: next });
        }}
        onSave={review}
      />
      {outcome.value && (
        <Review
          outcome={outcome.value}
          choices={choices.value}
          isBusy={isBusy.value}
          choose={(field, choice) => (choices.value = new Map(choices.value).set(field, choice))}
          check={() => void run(true)}
          save={() => void run(false)}
          close={() => (outcome.value = undefined)}
        />
      )}
    </section>
  );
}

interface ReviewProps {
  readonly outcome: Outcome;
  readonly choices: ReadonlyMap<string, Choice>;
  readonly isBusy: boolean;
  readonly choose: (field: string, choice: Choice) => void;
  readonly check: () => void;
  readonly save: () => void;
  readonly close: () => void;
}

function Review({
  outcome,
  choices,
  isBusy,
  choose,
  check,
  save,
  close,
}: ReviewProps): JSX.Element | null {
  if (outcome.kind === 'conflicts') {
    const isComplete = outcome.conflicts.every(({ field }) => choices.has(field));
    return (
      <Dialog title="Others have a say in these fields" close={close} isWide>
        <div class="stack">
          <p class="dim">Choose for each field. What you typed stays in the editor in any case.</p>
          <Conflicts conflicts={outcome.conflicts} choices={choices} choose={choose} />
          <div class="buttons">
            <BusyButton
              type="button"
              class="primary"
              isBusy={isBusy}
              disabled={!isComplete}
              onClick={check}
            >
              {isBusy ? 'Checking…' : 'Go on'}
            </BusyButton>
            <button type="button" class="quiet" onClick={close}>
              Back to the editor
            </button>
          </div>
        </div>
      </Dialog>
    );
  }
  if (outcome.kind !== 'ready') return null;
  return (
    <Dialog title="What would change" close={close} isWide>
      <div class="stack">
        <p class="dim">
          The server has checked it
          {outcome.how === 'replace'
            ? '. Because something is removed, the whole object is replaced.'
            : ' as a server-side apply.'}
        </p>
        {outcome.warnings.map((warning) => (
          <p key={warning} class="state busy">
            {warning}
          </p>
        ))}
        <Diff before={outcome.before} after={outcome.after} />
        <div class="buttons">
          <BusyButton type="button" class="primary" isBusy={isBusy} onClick={save}>
            {isBusy ? 'Saving…' : 'Save'}
          </BusyButton>
          <button type="button" class="quiet" onClick={close}>
            Back to the editor
          </button>
        </div>
      </div>
    </Dialog>
  );
}
