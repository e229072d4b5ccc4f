import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { namespaces, searchHeld, searchNamespaces } from '../state/namespaces.ts';
import { ownNamespaces, seesEverywhere } from '../state/own-namespaces.ts';
import { chooseNamespace, chosenNamespace } from '../state/place.ts';
import { numberText } from '../parts/numbers.ts';

/** Names that the list shows at a time. */
const MOST_SHOWN = 30;
/** Pause in typing after which the server is asked. */
const PAUSE_MS = 150;
const LIST_ID = 'namespace-list';

interface Choice {
  /** Empty: all namespaces. */
  readonly name: string;
  readonly title: string;
}

/** Chooses the namespace: from those of the server, or by a name that is typed. */
export function NamespaceBox(): JSX.Element {
  const box = useRef<HTMLInputElement>(null);
  const isOpen = useSignal(false);
  /** Undefined: nothing is typed, the box shows what is chosen. */
  const typed = useSignal<string | undefined>(undefined);
  const active = useSignal(-1);
  const chosen = chosenNamespace.value;
  const text = (typed.value ?? '').trim();
  const { names, more } = useNames(text, isOpen.value);
  const all = seesEverywhere.value ? 'All namespaces' : 'Choose a namespace';
  const isAllOffered = text === '' && (seesEverywhere.value || chosen !== '');
  const choices: Choice[] = [
    ...(isAllOffered ? [{ name: '', title: seesEverywhere.value ? all : 'No namespace' }] : []),
    ...names.map((name) => ({ name, title: name })),
  ];
  const close = (): void => {
    isOpen.value = false;
    typed.value = undefined;
    active.value = -1;
  };
  const choose = (name: string): void => {
    close();
    if (box.current) box.current.value = name;
    chooseNamespace(name);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = choices.length - 1;
    if (event.key === 'ArrowDown' && !isOpen.value) isOpen.value = true;
    else if (event.key === 'ArrowDown') active.value = Math.min(active.value + 1, last);
    else if (event.key === 'ArrowUp') active.value = Math.max(active.value - 1, -1);
    else if (event.key === 'Enter')
      choose(choices[active.value]?.name ?? (typed.value === undefined ? chosen : text));
    else if (event.key === 'Escape' && isOpen.value) close();
    else return;
    event.preventDefault();
  };
  return (
    <div class="namespace-box">
      <input
        ref={box}
        class="crumb"
        role="combobox"
        aria-label="Namespace"
        aria-expanded={isOpen.value}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-activedescendant={active.value >= 0 ? `namespace-${active.value}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={all}
        value={typed.value ?? chosen}
        onClick={({ currentTarget }) => {
          isOpen.value = true;
          currentTarget.select();
        }}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          active.value = -1;
          isOpen.value = true;
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {isOpen.value && (
        <div class="namespace-list">
          <ul id={LIST_ID} role="listbox" aria-label="Namespaces">
            {choices.map(({ name, title }, i) => (
              <li
                key={name}
                id={`namespace-${i}`}
                ref={(element) => {
                  if (i === active.value) element?.scrollIntoView({ block: 'nearest' });
                }}
                role="option"
                aria-selected={i === active.value}
                class={name === chosen ? 'chosen' : ''}
                // not the click: the box would lose the focus, and close, before it
                onPointerDown={(event) => {
                  event.preventDefault();
                  choose(name);
                }}
              >
                {title}
              </li>
            ))}
          </ul>
          <Hint text={text} isFound={names.length > 0} more={more} />
        </div>
      )}
    </div>
  );
}

function Hint({
  text,
  isFound,
  more,
}: {
  readonly text: string;
  readonly isFound: boolean;
  readonly more: number;
}): JSX.Element | null {
  const hint =
    more > 0
      ? `${numberText(more)} more: type to narrow.`
      : !namespaces.value.isListed
        ? text === ''
          ? 'You may not list namespaces: type the name of one.'
          : `Enter shows ${text}.`
        : isFound
          ? ''
          : 'No namespace has this text.';
  return hint === '' ? null : <p class="dim">{hint}</p>;
}

/** The names for what is typed: held ones at once, others as the server answers. */
function useNames(text: string, isWanted: boolean): { names: readonly string[]; more: number } {
  const { held, total, isListed } = namespaces.value;
  const asked = useSignal<{ text: string; names: readonly string[]; more: number } | undefined>(
    undefined,
  );
  const isAsked = isWanted && isListed && text !== '' && held.length < total;
  useEffect(() => {
    if (!isAsked) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      searchNamespaces(text, MOST_SHOWN, abort.signal).then(
        (found) => (asked.value = { text, ...found }),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [isAsked, text, total]);
  if (!isWanted) return { names: [], more: 0 };
  const near = searchHeld(isListed ? held : ownNamespaces.value, text, MOST_SHOWN);
  if (isAsked && asked.value?.text === text) return asked.value;
  return text === '' && isListed ? { ...near, more: near.more + total - held.length } : near;
}
