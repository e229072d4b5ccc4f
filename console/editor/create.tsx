import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { exactText, parseExact } from '../../client/exact.ts';
import { errorOf } from '../api/http.ts';
import { textAt, type Json } from '../api/json.ts';
import { apiVersionOf, pathOf, resourceName, type Kind } from '../api/kind.ts';
import { say } from '../parts/announce.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { useReading } from '../parts/reading.ts';
import { kindSchema, type KindSchema } from '../schema/documents.ts';
import { sampleOf } from '../schema/sample.ts';
import { go } from '../state/place.ts';
import { areRightsKnown, may } from '../state/rights.ts';
import { createHash, objectHash, tableHash } from '../state/route.ts';
import { CodeBox } from './code-box.tsx';
import { isDataMap, own, type DataMap } from './data.ts';
import { readText, writeText } from './document.ts';
import { keepDraft, readDraft } from '../state/drafts.ts';
import { Form, isSimple } from './form.tsx';
import { MANAGER } from './plan.ts';
import { sendText } from './send-text.ts';
import { Problems } from './problems.tsx';
import { Diff } from './review.tsx';

interface CreateProps {
  readonly kind: Kind;
  readonly namespace: string;
  readonly isForm: boolean;
}

/** Makes an object, as text or by a form. */
export function Create({ kind, namespace, isForm }: CreateProps): JSX.Element {
  const { state, again } = useReading(() => kindSchema(kind), [kind]);
  const { value, error } = state.value;
  const space = kind.namespaced ? namespace || 'default' : '';
  if (areRightsKnown(space) && !may('create', kind, space)) {
    return (
      <Notice title={`You may not create this${space === '' ? '' : ` in ${space}`}`} icon="warning">
        <p>
          What you may do is shown under <a href="#/access">Access</a>.
        </p>
      </Notice>
    );
  }
  if (error !== undefined) return <Failure error={error} retry={again} />;
  if (value === undefined) return <Loading />;
  return <Creating kind={kind} namespace={namespace} isForm={isForm} ofKind={value} />;
}

function Creating({
  kind,
  namespace,
  isForm,
  ofKind,
}: CreateProps & { readonly ofKind: KindSchema }): JSX.Element {
  const space = kind.namespaced ? namespace || 'default' : '';
  const key = `new ${resourceName(kind)}`;
  const first = useRef<string>(undefined);
  first.current ??= sampleOf(ofKind, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    namespace: space,
  });
  const text = useRef(readDraft(key)?.text ?? first.current);
  const isBusy = useSignal(false);
  const error = useSignal<Error | undefined>(undefined);
  const preview = useSignal<string | undefined>(undefined);
  const canForm = isSimple(ofKind);
  const change = (next: string): void => {
    text.current = next;
    keepDraft(key, { base: first.current ?? '', text: next });
  };
  const run = async (isDryRun: boolean): Promise<void> => {
    isBusy.value = true;
    error.value = undefined;
    try {
      const value = valueOf(text.current);
      const metadata = own(value, 'metadata');
      const typed =
        metadata !== undefined && isDataMap(metadata) ? own(metadata, 'namespace') : undefined;
      const within = kind.namespaced
        ? typeof typed === 'string' && typed !== ''
          ? typed
          : space
        : '';
      const query = new URLSearchParams({ fieldManager: MANAGER, fieldValidation: 'Strict' });
      if (isDryRun) query.set('dryRun', 'All');
      const { text: answer } = await sendText(
        'POST',
        `${pathOf(kind, within)}?${query.toString()}`,
        {
          ...{ body: exactText(value), accept: isDryRun ? 'application/yaml' : 'application/json' },
        },
      );
      if (isDryRun) {
        preview.value = answer;
        return;
      }
      const made = parseExact(answer) as Json;
      keepDraft(key, undefined);
      say(`Created ${textAt(made, 'metadata', 'name')}`);
      go(objectHash(kind, within, textAt(made, 'metadata', 'name')));
    } catch (failure) {
      preview.value = undefined;
      error.value = errorOf(failure);
    } finally {
      isBusy.value = false;
    }
  };
  const read = readText(text.current).value;
  return (
    <section class="object-view" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">
          <span class="kind">Create</span> {kind.kind}
        </h1>
        <span class="grow" />
        <a class="button quiet" href={tableHash(kind, { namespace })}>
          Cancel
        </a>
        <BusyButton
          type="button"
          class="primary"
          isBusy={isBusy.value}
          onClick={() => void run(true)}
        >
          {isBusy.value ? 'Checking…' : 'Review'}
        </BusyButton>
      </header>
      {canForm && (
        <div class="tabs" role="group" aria-label="How to write it">
          {[false, true].map((form) => (
            <button
              key={String(form)}
              type="button"
              class="quiet"
              aria-pressed={isForm === form}
              onClick={() => go(createHash(kind, namespace, form))}
            >
              {form ? 'Form' : 'YAML'}
            </button>
          ))}
        </div>
      )}
      {error.value && <Problems error={error.value} />}
      {isForm && read !== undefined ? (
        <Form
          value={read}
          kind={kind}
          ofKind={ofKind}
          error={error.value}
          onChange={(next) => change(writeText(next))}
        />
      ) : (
        <section class="card flush editor">
          <CodeBox
            kind={kind}
            text={text.current}
            version={0}
            label={`YAML of the new ${kind.kind}`}
            onChange={change}
            onSave={() => void run(true)}
          />
        </section>
      )}
      {preview.value !== undefined && (
        <Dialog title="What would be created" close={() => (preview.value = undefined)} isWide>
          <div class="stack">
            <Diff before="" after={preview.value} />
            <div class="buttons">
              <BusyButton
                type="button"
                class="primary"
                isBusy={isBusy.value}
                onClick={() => void run(false)}
              >
                Create
              </BusyButton>
              <button type="button" class="quiet" onClick={() => (preview.value = undefined)}>
                Back to the editor
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function valueOf(text: string): DataMap {
  const { value, mistakes } = readText(text);
  if (value === undefined)
    throw new SyntaxError(mistakes[0]?.message ?? 'The text cannot be read.');
  if (!isDataMap(value)) throw new SyntaxError('The text must be an object.');
  return value;
}
