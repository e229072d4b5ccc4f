import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { sendRaw, sentenceOf, type Answer } from '../api/http.ts';
import type { Json } from '../api/json.ts';
import {
  curlOf,
  kubectlOf,
  operationsOf,
  pathWith,
  type Filled,
  type Operation,
} from '../explorer/operations.ts';
import { Copy } from '../parts/copy.tsx';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { useReading } from '../parts/reading.ts';
import { documentAt, documentPaths } from '../schema/documents.ts';
import { hashOf } from '../state/route.ts';

type Parameters = Readonly<Record<string, string>>;

/** Characters of an answer that are shown. */
const MOST_SHOWN = 200_000;
const FIRST_DOCUMENT = 'api/v1';

/** Every request that the server documents, to be tried. */
export function Explorer({ parameters }: { readonly parameters: Parameters }): JSX.Element {
  const { document = FIRST_DOCUMENT, operation = '' } = parameters;
  const { state, again } = useReading(async () => {
    const paths = await documentPaths();
    const path = paths.get(document);
    const text = path === undefined ? {} : ((await documentAt(path)) as Json);
    return { names: [...paths.keys()], operations: operationsOf(text) };
  }, [document]);
  const find = useSignal('');
  const { value, error } = state.value;
  if (error !== undefined) return <Failure error={error} retry={again} />;
  if (value === undefined) return <Loading />;
  const hash = (change: Parameters): string =>
    hashOf({ view: 'explorer', parameters: { document, ...change } });
  const chosen = value.operations.find(({ id }) => id === operation);
  const shown = value.operations.filter(({ id }) =>
    id.toLowerCase().includes(find.value.toLowerCase()),
  );
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">API explorer</h1>
        <span class="grow" />
        <label class="field">
          <span>Document</span>
          <select
            value={document}
            onChange={({ currentTarget }) =>
              (location.hash = hash({ document: currentTarget.value }))
            }
          >
            {value.names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </header>
      <div class="split">
        <nav class="card list" aria-label="Operations">
          <input
            type="search"
            id="find"
            placeholder="Find a path"
            aria-label="Find a path"
            value={find.value}
            onInput={({ currentTarget }) => (find.value = currentTarget.value)}
          />
          <ul data-scroll="list">
            {shown.map(({ id, method, path }) => (
              <li key={id}>
                <a
                  href={hash({ operation: id })}
                  aria-current={id === operation ? 'true' : undefined}
                >
                  <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {chosen === undefined ? (
          <Notice title="Choose a request" icon="explorer">
            Fill it in, send it, and copy it as a command.
          </Notice>
        ) : (
          <Try key={chosen.id} operation={chosen} />
        )}
      </div>
    </section>
  );
}

function Try({ operation }: { readonly operation: Operation }): JSX.Element {
  const filled = useSignal<Filled>({
    values: {},
    body: '',
    type: operation.bodies[0] ?? 'application/json',
  });
  const answer = useSignal<Answer | undefined>(undefined);
  const error = useSignal('');
  const isBusy = useSignal(false);
  const set = (name: string, value: string): void => {
    filled.value = { ...filled.value, values: { ...filled.value.values, [name]: value } };
  };
  const run = async (): Promise<void> => {
    isBusy.value = true;
    error.value = '';
    try {
      const { body, type } = filled.value;
      const hasBody = operation.bodies.length > 0 && body !== '';
      answer.value = await sendRaw(
        operation.method,
        pathWith(operation, filled.value),
        hasBody ? { body, type } : {},
      );
    } catch (failure) {
      error.value = sentenceOf(failure);
    } finally {
      isBusy.value = false;
    }
  };
  const kubectl = kubectlOf(operation, filled.value);
  const isWrite = operation.method !== 'GET';
  return (
    <div class="column">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <h2>
          <span class={`method ${operation.method.toLowerCase()}`}>{operation.method}</span>{' '}
          <code>{operation.path}</code>
        </h2>
        {operation.description !== '' && <p>{operation.description}</p>}
        <div class="form">
          {operation.parameters.map(({ name, place, description, isRequired }) => (
            <label key={`${place} ${name}`} title={description}>
              <span>
                {name} <span class="dim">{isRequired ? 'required' : place}</span>
              </span>
              <input
                required={isRequired}
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => set(name, currentTarget.value)}
              />
            </label>
          ))}
        </div>
        {operation.bodies.length > 0 && (
          <>
            <label class="field">
              <span>Type of the body</span>
              <select
                value={filled.value.type}
                onChange={({ currentTarget }) =>
                  (filled.value = { ...filled.value, type: currentTarget.value })
                }
              >
                {operation.bodies.map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </select>
            </label>
            <textarea
              class="body"
              rows={8}
              aria-label="Body"
              spellcheck={false}
              onInput={({ currentTarget }) =>
                (filled.value = { ...filled.value, body: currentTarget.value })
              }
            />
          </>
        )}
        <div class="buttons">
          <button
            type="submit"
            class={isWrite ? 'danger solid' : 'primary'}
            disabled={isBusy.value}
          >
            {isBusy.value ? 'Sending…' : `Send ${operation.method}`}
          </button>
        </div>
        {error.value !== '' && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
      </form>
      <Command name="curl" text={curlOf(operation, filled.value, location.origin)} />
      {kubectl !== undefined && <Command name="kubectl" text={kubectl} />}
      {answer.value && <Shown answer={answer.value} />}
    </div>
  );
}

function Command({ name, text }: { readonly name: string; readonly text: string }): JSX.Element {
  return (
    <section class="card">
      <h2 class="with-copy">
        {name} <Copy text={text} label={`the command of ${name}`} />
      </h2>
      <pre class="block" tabIndex={0} aria-label={`Command of ${name}`}>
        {text}
      </pre>
    </section>
  );
}

function Shown({ answer: { status, text, warnings } }: { readonly answer: Answer }): JSX.Element {
  const pretty = prettyText(text);
  return (
    <section class="card" role="status">
      <h2 class="with-copy">
        <span class={`state ${status < 400 ? 'good' : 'bad'}`}>{status}</span> Answer{' '}
        <Copy text={pretty} label="the answer" />
      </h2>
      {warnings.map((warning) => (
        <p key={warning} class="state busy">
          {warning}
        </p>
      ))}
      <pre class="block" tabIndex={0} aria-label="Answer">
        {pretty.length > MOST_SHOWN ? `${pretty.slice(0, MOST_SHOWN)}\n…` : pretty}
      </pre>
    </section>
  );
}

/** JSON with line breaks; other text as it is. Numbers of many digits would lose some: such text stays. */
function prettyText(text: string): string {
  if (/\d{16,}/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
