import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { groupResource, rankOf, sameResource, type Kind } from '../api/kind.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { chosenNamespace, place } from '../state/place.ts';
import { pageHash, tableHash, type Page } from '../state/route.ts';
import { isOffered, seenKinds } from '../state/sight.ts';
import { fit } from './match.ts';
import { pageTitle } from './title.ts';

/** Whether the sidebar is open where there is little room. */
export const isSidebarOpen = signal(false);

const PAGES: readonly (Page & IconName)[] = [
  ...(['overview', 'definitions', 'access', 'admission', 'explorer', 'graphs'] as const),
];

/** What is found counts from here on: letters that only occur somewhere would find too much. */
const LEAST_FIT = 99;

/** Ways to everything. */
export function Sidebar(): JSX.Element {
  const text = useSignal('');
  const here = place.value;
  const listed = seenKinds.value.filter((kind) =>
    [kind.kind, kind.plural, ...kind.shortNames].some(
      (name) => text.value === '' || fit(name, text.value) > LEAST_FIT,
    ),
  );
  const close = (): void => {
    isSidebarOpen.value = false;
  };
  return (
    <>
      {isSidebarOpen.value && <div class="veil" onClick={close} />}
      <nav
        id="sidebar"
        class={isSidebarOpen.value ? 'sidebar open' : 'sidebar'}
        aria-label="Main"
        onClick={close}
      >
        <ul>
          {PAGES.filter(isOffered).map((view) => (
            <li key={view}>
              <a
                href={pageHash(view, chosenNamespace.value)}
                aria-current={here.view === view ? 'page' : undefined}
              >
                <Icon name={view} /> {pageTitle(view)}
              </a>
            </li>
          ))}
        </ul>
        {seenKinds.value.length > 0 ? (
          <input
            class="kind-search"
            type="search"
            placeholder="Find a kind"
            aria-label="Find a kind"
            value={text.value}
            onClick={(event) => event.stopPropagation()}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        ) : (
          <p class="dim pad">
            {chosenNamespace.value === ''
              ? 'Choose a namespace to see its kinds.'
              : `You may see no kind in ${chosenNamespace.value}.`}
          </p>
        )}
        {groupsOf(listed).map(([group, members]) => (
          <section key={group}>
            <h2>{group}</h2>
            <ul>
              {members.map((kind) => (
                <KindLink key={groupResource(kind)} kind={kind} />
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </>
  );
}

function KindLink({ kind }: { readonly kind: Kind }): JSX.Element {
  const here = place.value;
  const namespace = kind.namespaced ? chosenNamespace.value : '';
  const isHere =
    (here.view === 'table' || here.view === 'object' || here.view === 'create') &&
    sameResource(here.kind, kind);
  return (
    <li>
      <a
        href={tableHash(kind, { namespace })}
        aria-current={isHere ? 'page' : undefined}
        title={kind.plural}
      >
        {kind.kind}
      </a>
    </li>
  );
}

const CORE = 'Core';

/** In the order of {@link rankOf}, each by its name. */
function groupsOf(kinds: readonly Kind[]): [string, Kind[]][] {
  const groups = new Map<string, Kind[]>();
  for (const kind of kinds) {
    const name = kind.group === '' ? CORE : kind.group;
    groups.set(name, [...(groups.get(name) ?? []), kind]);
  }
  const rank = (name: string): number => rankOf(name === CORE ? '' : name);
  return [...groups].sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
}
