import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { ask } from '../state/place.ts';
import type { TableQuery } from '../state/route.ts';

type Name = 'labels' | 'fields' | 'filter' | 'order';

const FIELDS: readonly (readonly [name: Name, title: string, example: string])[] = [
  ['labels', 'Labels', 'tier=gold,!hidden'],
  ['fields', 'Fields', 'spec.size in (1,2)'],
  ['filter', 'Expression', 'object.spec.size > 3'],
  ['order', 'Order by', 'spec.size:desc,metadata.name'],
];

/** Pause after the last key before the browser searches. */
const PAUSE_MS = 120;

/** What the server selects and orders by, and what is searched for in the loaded rows. */
export function FilterBar({ query }: { readonly query: TableQuery }): JSX.Element {
  const isOpen = useSignal(FIELDS.some(([name]) => query[name] !== ''));
  const find = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => {
    // letters that the pause still holds are newer
    if (find.current !== null && timer.current === undefined) find.current.value = query.find;
  }, [query.find]);
  // What was typed is not searched for in the table that is shown next.
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (text: string): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    ask({ find: text }, 'typed');
  };
  const count = FIELDS.filter(([name]) => query[name] !== '').length;
  return (
    <search class="filters">
      <div class="find">
        <Icon name="search" />
        <input
          ref={find}
          id="find"
          type="search"
          placeholder="Find in rows"
          aria-label="Find in the loaded rows"
          aria-keyshortcuts="/"
          defaultValue={query.find}
          onInput={({ currentTarget: { value } }) => {
            clearTimeout(timer.current);
            timer.current = setTimeout(() => search(value), PAUSE_MS);
          }}
          onKeyDown={({ key, currentTarget: box }) => {
            if (key !== 'Escape' && key !== 'Enter') return;
            if (key === 'Escape') box.value = '';
            search(box.value);
            document.querySelector<HTMLElement>('.grid')?.focus();
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      <button
        type="button"
        class="quiet"
        aria-expanded={isOpen.value}
        aria-controls="server-filters"
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <Icon name="filter" /> <span>Filter{count > 0 ? ` (${count})` : ''}</span>
      </button>
      <form
        id="server-filters"
        class="server-filters"
        hidden={!isOpen.value}
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const text = (name: Name): string => {
            const value = data.get(name);
            return typeof value === 'string' ? value.trim() : '';
          };
          ask({
            labels: text('labels'),
            fields: text('fields'),
            filter: text('filter'),
            order: text('order'),
          });
        }}
      >
        {FIELDS.map(([name, title, example]) => (
          <label key={name}>
            <span>{title}</span>
            <TextInput name={name} value={query[name]} placeholder={example} />
          </label>
        ))}
        <div class="buttons">
          <button type="submit" class="primary">
            Apply
          </button>
          {count > 0 && (
            <button
              type="button"
              class="quiet"
              onClick={() => ask({ labels: '', fields: '', filter: '', order: '' })}
            >
              Clear
            </button>
          )}
        </div>
      </form>
    </search>
  );
}
