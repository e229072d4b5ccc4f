import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { send } from '../api/http.ts';
import { pathOf } from '../api/kind.ts';
import { say } from '../parts/announce.ts';
import { Answer } from '../parts/answer.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { DeleteDialog } from '../object/delete-dialog.tsx';
import { inTurns } from '../parts/turns.ts';
import { may } from '../state/rights.ts';
import { totalText, type TableModel } from './model.ts';
import type { Row } from './rows.ts';
import type { Selection } from './selection.ts';
import { counted, numberText } from '../parts/numbers.ts';

interface BulkProps {
  readonly model: TableModel;
  readonly selection: Selection;
  /** The rows that are found, when something is searched for. */
  readonly found: readonly Row[] | undefined;
}

/** A dialog about the rows that were selected when it was opened: they may go meanwhile. */
interface Question {
  readonly what: 'label' | 'delete';
  readonly rows: readonly Row[];
}

/** What can be done with the selected rows. */
export function Bulk({ model, selection, found }: BulkProps): JSX.Element | null {
  // of another table it is another question
  const open = useMemo(() => signal<Question | undefined>(undefined), [model]);
  const { kind } = model;
  const keys = selection.keys.value;
  // rows that were selected before they came count when they come
  const isCome = keys.size > 0 && model.version.value > 0;
  const chosen = isCome ? [...keys].flatMap((key) => model.rows.byKey(key) ?? []) : [];
  const asked = open.value;
  const close = (): void => {
    open.value = undefined;
  };
  return (
    <>
      {chosen.length > 0 && (
        <div class="bulk" role="toolbar" aria-label="Selected objects">
          <strong>
            {numberText(chosen.length)} selected <span class="dim">of {totalText(model)}</span>
          </strong>
          {found === undefined && <All model={model} selection={selection} />}
          {may('patch', kind, model.query.namespace) && (
            <button type="button" onClick={() => (open.value = { what: 'label', rows: chosen })}>
              <Icon name="tag" /> Label
            </button>
          )}
          {may('delete', kind, model.query.namespace) && (
            <button
              type="button"
              class="danger"
              onClick={() => (open.value = { what: 'delete', rows: chosen })}
            >
              <Icon name="trash" /> Delete
            </button>
          )}
          <button type="button" class="quiet" onClick={() => selection.clear()}>
            Clear
          </button>
        </div>
      )}
      {asked?.what === 'label' && <LabelDialog model={model} rows={asked.rows} close={close} />}
      {asked?.what === 'delete' && (
        <DeleteDialog
          kind={kind}
          targets={asked.rows}
          close={(isDone) => {
            close();
            if (isDone) selection.clear();
          }}
        />
      )}
    </>
  );
}

/** Offers to select what is not loaded yet, once all that is loaded is selected. */
function All({ model, selection }: Omit<BulkProps, 'found'>): JSX.Element | null {
  const isLoading = useSignal(false);
  model.version.value; // eslint-disable-line @typescript-eslint/no-unused-expressions -- draws again when it changes
  useEffect(() => {
    if (!isLoading.value) return;
    if (model.hasMore) model.needAll();
    else {
      isLoading.value = false;
      selection.selectAll(model.rows.all());
    }
  });
  if (isLoading.value) {
    return (
      <span role="status">
        Reading {numberText(model.rows.count)} of {totalText(model)}…
      </span>
    );
  }
  return model.hasMore && selection.hasAll(model.rows.count, () => model.rows.all()) ? (
    <button type="button" onClick={() => (isLoading.value = true)}>
      Select all {totalText(model)}
    </button>
  ) : null;
}

function LabelDialog({
  model: { kind },
  rows,
  close,
}: {
  readonly model: TableModel;
  readonly rows: readonly Row[];
  readonly close: () => void;
}): JSX.Element {
  const error = useSignal('');
  const isBusy = useSignal(false);
  const known = [...new Set(rows.flatMap(({ labels }) => labels.map(([key]) => key)))].sort();
  const label = async (key: string, value: string | null): Promise<void> => {
    isBusy.value = true;
    const body = JSON.stringify({ metadata: { labels: { [key]: value } } });
    const failed = await inTurns(rows, ({ namespace, name }) =>
      send('PATCH', `${pathOf(kind, namespace, name)}?fieldManager=plinth-console`, {
        ...{ body, type: 'application/merge-patch+json' },
      }),
    );
    isBusy.value = false;
    if (failed.length > 0) {
      error.value = failed
        .slice(0, 5)
        .map(({ item, why }) => `${item.name}: ${why}`)
        .join('\n');
      return;
    }
    say(
      value === null
        ? `Removed the label ${key} from ${counted(rows.length, 'object')}`
        : `Labelled ${counted(rows.length, 'object')}`,
    );
    close();
  };
  return (
    <Dialog title={`Label ${counted(rows.length, 'object')}`} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const [key, value] = [data.get('key'), data.get('value')];
          const isRemoval = data.get('remove') !== null;
          if (typeof key !== 'string' || typeof value !== 'string') return;
          void label(key.trim(), isRemoval ? null : value.trim());
        }}
      >
        <label>
          <span>Label</span>
          <input name="key" required list="known-labels" autocomplete="off" spellcheck={false} />
        </label>
        <datalist id="known-labels">
          {known.map((key) => (
            <option key={key} value={key} />
          ))}
        </datalist>
        <label>
          <span>Value</span>
          <input name="value" autocomplete="off" spellcheck={false} />
        </label>
        <label class="check">
          <input type="checkbox" name="remove" /> <span>Remove this label</span>
        </label>
        <Answer
          label="Write labels"
          busyLabel="Writing…"
          isBusy={isBusy.value}
          error={error.value}
          cancel={close}
        />
      </form>
    </Dialog>
  );
}
