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
import { Icon } from '../parts/icon.tsx';
import { askPage } from '../state/place.ts';
import { Fields } from './explorer-fields.tsx';

type Parameters = Readonly<Record<string, string>>;

/** Characters of an answer that are shown. */
const MOST_SHOWN = 200_000;
/** What a request is filled with stands in the address, by its place and name. */
const PREFIX = 'with.';
/** The type of the body. */
const TYPE = 'type';
/** Pause after the last key before the address follows: browsers bound how often it may. */
const PAUSE_MS = 250;
const FORM = 'request';

/** The values of an address, by the names of parameters. */
function valuesOf(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      name.startsWith(PREFIX) ? [[name.slice(PREFIX.length), value]] : [],
    ),
  );
}

/**
 * One request: to fill in, to send, and as commands. Its head stays in view, above
 * what was filled in and answered.
 */
export function Try({
  operation,
  parameters,
  listHash,
}: {
  readonly operation: Operation;
  readonly parameters: Parameters;
  /** The address of all operations. */
  readonly listHash: string;
}): JSX.Element {
  const filled = useSignal<Filled>({
    values: valuesOf(parameters),
    body: '',
    type: parameters[TYPE] ?? operation.bodies[0] ?? 'application/json',
  });
  const answer = useSignal<Answer | undefined>(undefined);
  const error = useSignal('');
  const underWay = useSignal<AbortController | undefined>(undefined);
  const head = useRef<HTMLHeadingElement>(null);
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
  useEffect(() => {
    // Where there is little room the list, and what had the focus in it, is no longer shown.
    if (document.activeElement === document.body || !isShown(document.activeElement))
      head.current?.focus();
    return () => {
      forget();
      underWay.value?.abort();
    };
  }, []);
  const fill = (change: Partial<Filled>): void => {
    filled.value = { ...filled.value, ...change };
    clearTimeout(timer.current);
    timer.current = setTimeout(tell, PAUSE_MS);
  };
  const run = async (): Promise<void> => {
    const abort = new AbortController();
    underWay.value = abort;
    error.value = '';
    try {
      const { body, type } = filled.value;
      const hasBody = operation.bodies.length > 0 && body !== '';
      answer.value = await sendRaw(operation.method, pathWith(operation, filled.value), {
        ...(hasBody ? { body, type } : {}),
        signal: abort.signal,
      });
    } catch (failure) {
      answer.value = undefined;
      error.value = abort.signal.aborted
        ? 'Stopped. The server may have done it all the same.'
        : sentenceOf(failure);
    } finally {
      underWay.value = undefined;
    }
  };
  const kubectl = kubectlOf(operation, filled.value);
  const method = <span class={`method ${operation.method.toLowerCase()}`}>{operation.method}</span>;
  return (
    <div class="request">
      <a class="only-list-hidden" href={listHash}>
        All requests
      </a>
      <header class="request-head">
        <h2 ref={head} tabIndex={-1}>
          {method} <code>{operation.path}</code>
        </h2>
        {underWay.value === undefined ? (
          <button
            key="send"
            type="submit"
            form={FORM}
            class={operation.method === 'GET' ? 'primary' : 'danger solid'}
          >
            Send {operation.method}
          </button>
        ) : (
          // Another element: as the same one, it would send again before its click is over.
          <button key="stop" type="button" onClick={() => underWay.value?.abort()}>
            <Icon name="close" /> Stop
          </button>
        )}
      </header>
      <form
        id={FORM}
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          if (underWay.value === undefined) void run();
        }}
      >
        <Fields operation={operation} filled={filled.value} change={fill} tell={tell} />
      </form>
      <div class="column">
        {error.value !== '' && (
          <p class="error card" role="alert" ref={bringIntoView}>
            {error}
          </p>
        )}
        {answer.value && <Shown answer={answer.value} />}
        <Command name="curl" text={curlOf(operation, filled.value, location.origin)} />
        {kubectl !== undefined && <Command name="kubectl" text={kubectl} />}
      </div>
    </div>
  );
}

const isShown = (element: Element | null): boolean => (element?.getClientRects().length ?? 0) > 0;

/** For what has just come, and may lie below the form. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
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

function Shown({ answer }: { readonly answer: Answer }): JSX.Element {
  const { status, text, warnings } = answer;
  const pretty = prettyText(text);
  const box = useRef<HTMLElement>(null);
  useEffect(() => bringIntoView(box.current), [answer]);
  return (
    <section class="card answer" ref={box}>
      <h2 class="with-copy">
        <span role="status">
          <span class={`state ${status < 400 ? 'good' : 'bad'}`}>{status}</span> Answer
        </span>{' '}
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
