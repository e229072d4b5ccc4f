import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { kinds } from '../state/catalog.ts';
import { namespaces } from '../state/namespaces.ts';
import { ownNamespaces, seesEverywhere } from '../state/own-namespaces.ts';
import { chooseNamespace, chosenNamespace, go } from '../state/place.ts';
import { may } from '../state/rights.ts';
import { createHash, objectHash, pageHash, tableHash } from '../state/route.ts';
import { isOffered, seenKinds } from '../state/sight.ts';
import { nextDensity, nextTheme } from '../state/settings.ts';
import { useObjects } from './find-objects.ts';
import { fit } from './match.ts';
import { closePalette, palette } from './open-palette.ts';
import { pageTitle } from './title.ts';

/** Something that can be chosen. */
interface Entry {
  readonly title: string;
  readonly note: string;
  /** Other names it is found by. */
  readonly names: readonly string[];
  readonly act: () => void;
}

/** Entries that are shown, and where objects are found below them. */
const MOST = 40;
const MOST_ABOVE = 8;

/** Everything that the console can do, by a few letters. */
export function Palette(): JSX.Element | null {
  const opened = palette.value;
  return opened === undefined ? null : (
    <Open
      key={`${opened.text}${opened.onlyKinds}`}
      first={opened.text}
      onlyKinds={opened.onlyKinds}
    />
  );
}

function Open({
  first,
  onlyKinds,
}: {
  readonly first: string;
  readonly onlyKinds: boolean;
}): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  const text = useSignal(first);
  const active = useSignal(0);
  // Not after the next frame: a key pressed before then would miss the palette.
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const { objects, note, isBusy } = useObjects(onlyKinds ? '' : text.value);
  const known = search([...kindEntries(), ...(onlyKinds ? [] : others())], text.value);
  const found = [
    ...known.slice(0, objects.length > 0 ? MOST_ABOVE : MOST),
    ...objects.map(({ kind, namespace, name }) => ({
      title: name,
      note: [kind.kind, kind.group, namespace].filter((each) => each !== '').join(' · '),
      act: () => go(objectHash(kind, namespace, name)),
    })),
  ];
  const index = Math.min(active.value, Math.max(0, found.length - 1));
  const choose = (entry: Pick<Entry, 'act'> | undefined): void => {
    if (entry === undefined) return;
    closePalette();
    entry.act();
  };
  return (
    <dialog
      ref={box}
      class="palette"
      aria-label={onlyKinds ? 'Go to a kind' : 'Commands'}
      onCancel={closePalette}
      onClick={(event) => {
        if (event.target === box.current) closePalette();
      }}
    >
      <input
        autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${index}` : undefined}
        aria-label={onlyKinds ? 'Go to a kind' : 'Type a kind, an object, a page or a command'}
        placeholder={onlyKinds ? 'Go to a kind…' : 'Type a kind, an object, a page or a command…'}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') active.value = Math.min(index + 1, found.length - 1);
          else if (event.key === 'ArrowUp') active.value = Math.max(index - 1, 0);
          else if (event.key === 'Enter') choose(found[index]);
          else return;
          event.preventDefault();
        }}
      />
      <ul id="palette-list" role="listbox" aria-label="Found">
        {found.map((entry, i) => (
          <li
            key={`${entry.note} ${entry.title}`}
            id={`palette-${i}`}
            ref={(element) => {
              if (i === index) element?.scrollIntoView({ block: 'nearest' });
            }}
            role="option"
            aria-selected={i === index}
            onClick={() => choose(entry)}
          >
            <span>{entry.title}</span>
            <span class="dim">{entry.note}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && !isBusy && note === '' && (
        <p class="dim pad">Nothing has this name.</p>
      )}
      <p class="dim pad" role="status" hidden={!isBusy && note === ''}>
        {isBusy ? 'Looking for objects…' : note}
      </p>
    </dialog>
  );
}

function search(entries: readonly Entry[], text: string): Entry[] {
  return entries
    .map((entry) => ({
      entry,
      score: Math.max(...[entry.title, ...entry.names].map((name) => fit(name, text.trim()))),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

function kindEntries(): Entry[] {
  return seenKinds.value.map((kind) => ({
    title: kind.kind,
    note: kind.group === '' ? 'core' : kind.group,
    names: [kind.plural, ...kind.shortNames],
    act: () => go(tableHash(kind, { namespace: kind.namespaced ? chosenNamespace.value : '' })),
  }));
}

function others(): Entry[] {
  const entry = (title: string, note: string, act: () => void): Entry => ({
    title,
    note,
    names: [],
    act,
  });
  const namespace = chosenNamespace.value;
  const pages = (
    ['overview', 'definitions', 'access', 'admission', 'explorer', 'graphs', 'keys'] as const
  )
    .filter(isOffered)
    .map((view) => entry(pageTitle(view), 'page', () => go(pageHash(view, namespace))));
  const create = (kinds.value ?? [])
    .filter(
      (kind) =>
        kind.verbs.has('create') && kind.verbs.has('list') && may('create', kind, namespace),
    )
    .map((kind) =>
      entry(`Create ${kind.kind}`, 'command', () =>
        go(createHash(kind, kind.namespaced ? namespace : '')),
      ),
    );
  const { held, isListed } = namespaces.value;
  const spaces = [
    ...(seesEverywhere.value ? [''] : []),
    ...(isListed ? held : ownNamespaces.value),
  ].map((name) =>
    entry(name === '' ? 'All namespaces' : `Namespace ${name}`, 'namespace', () =>
      chooseNamespace(name),
    ),
  );
  return [
    ...pages,
    ...spaces,
    entry('Change between dark and light', 'command', nextTheme),
    entry('Change between calm and dense', 'command', nextDensity),
    ...create,
  ];
}
