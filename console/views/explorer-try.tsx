import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { sendRaw, sentenceOf, type Answer } from '../api/http.ts';
import {
  curlOf,
  kubectlOf,
  pathWith,
  type Filled,
  type Operation,
} from '../explorer/operations.ts';
import { Copy } from '../parts/copy.tsx';
import { askPage } from '../state/place.ts';

type Parameters = Readonly<Record<string, string>>;

/** Characters of an answer that are shown. */
const MOST_SHOWN = 200_000;
/** What a request is filled with stands in the address, by its place and name. */
const PREFIX = 'with.';
/** The type of the body. */
const TYPE = 'type';
/** Pause after the last key before the address follows: browsers bound how often it may. */
const PAUSE_MS = 250;

/** The values of an address, by the names of parameters. */
function valuesOf(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value]] : [],
    ),
  );
}

/** One request: to fill in, to send, and as commands. */
export function Try({
  operation,
  parameters,
}: {
  readonly operation: Operation;
  readonly parameters: Parameters;
}): JSX.Element {
  const filled = useSignal<Filled>({
    values: valuesOf(parameters),
    body: '',
    type: parameters[TYPE] ?? operation.bodies[0] ?? 'application/json',
  });
  const answer = useSignal<Answer | undefined>(undefined);
  const error = useSignal('');
  const isBusy = useSignal(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forget = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  /** Puts into the address what it does not say yet. */
  const tell = (): void => {
    if (timer.current === undefined) return;
    forget();
    const { values, type } = filled.value;
    const told: Record<string, string> = { [TYPE]: type === operation.bodies[0] ? '' : type };
    for (const [name, value] of Object.entries(values)) told[`${PREFIX}${name}`] = value;
    askPage(told, 'same');
  };
  useEffect(() => forget, []);
  const fill = (change: Partial<Filled>): void => {
    filled.value = { ...filled.value, ...change };
    clearTimeout(timer.current);
    timer.current = setTimeout(tell, PAUSE_MS);
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
                value={filled.value.values[name] ?? ''}
                onInput={({ currentTarget }) =>
                  fill({ values: { ...filled.value.values, [name]: currentTarget.value } })
                }
                onBlur={tell}
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
                onChange={({ currentTarget }) => fill({ type: currentTarget.value })}
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
