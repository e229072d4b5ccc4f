import { signal } from '@preact/signals';
import type { KindName } from '../api/kind.ts';
import { findKind } from './catalog.ts';
import { EVERYTHING, hashOf, parseRoute, type Route, type TableQuery } from './route.ts';
import { arrive, enter, type Entry } from './visits.ts';

/** The place that the address names now. */
export const place = signal<Route>(parseRoute(location.hash));
/** The namespace that people look at; tables of other kinds begin with it. */
export const chosenNamespace = signal(namespaceOf(place.value) ?? '');

addEventListener('hashchange', () => {
  arrive();
  show(parseRoute(location.hash));
});

function show(route: Route): void {
  chosenNamespace.value = namespaceOf(route) ?? chosenNamespace.value;
  place.value = route;
}

/** The namespace that a place shows, empty for all; undefined: the place has nothing to do with it. */
function namespaceOf(route: Route): string | undefined {
  if (route.view === 'overview') return route.parameters.namespace ?? '';
  if (route.view !== 'table') return undefined;
  const { namespace } = route.query;
  return namespace !== '' || findKind(route.kind)?.namespaced === true ? namespace : undefined;
}

/** Shows this namespace from now on, here and where one goes next; the empty one: all. */
export function chooseNamespace(namespace: string): void {
  const here = place.value;
  if (here.view === 'overview') askPage({ namespace });
  else if (here.view === 'table' && findKind(here.kind)?.namespaced !== false) ask({ namespace });
  chosenNamespace.value = namespace;
}

/** Forgets the namespace that was looked at, unless the address names it. */
export function forgetNamespace(): void {
  chosenNamespace.value = namespaceOf(place.value) ?? '';
}

/** Goes to a place, as a link does; `isShown`: the address says it already. */
export function go(hash: string, isShown = false): void {
  if (isShown) show(parseRoute(hash));
  else if (hash !== location.hash) location.hash = hash;
}

/** Changes what the present table shows; Back undoes it. */
export function ask(change: Partial<TableQuery>, entry: Entry = 'new'): void {
  const here = place.value;
  if (here.view !== 'table') return;
  const query = { ...EVERYTHING, ...here.query, ...change };
  move(here, { ...here, query }, entry);
}

/** Gives the kind of the present place the name that the server has for it. */
export function nameKind({ group, version, plural }: KindName): void {
  const here = place.value;
  if (!('kind' in here)) return;
  move(here, { ...here, kind: { group, version, plural } }, 'same');
}

/** Changes the parameters of the present page; Back undoes it. */
export function askPage(change: Readonly<Record<string, string>>, entry: Entry = 'new'): void {
  const here = place.value;
  if (!('parameters' in here)) return;
  move(here, { ...here, parameters: { ...here.parameters, ...change } }, entry);
}

function move(from: Route, to: Route, entry: Entry): void {
  const hash = hashOf(to);
  if (hash === hashOf(from)) return;
  enter(hash, entry);
  show(parseRoute(hash));
}
