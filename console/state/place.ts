import { signal } from '@preact/signals';
import { EVERYTHING, hashOf, parseRoute, type Route, type TableQuery } from './route.ts';

/** The place that the address names now. */
export const place = signal<Route>(parseRoute(location.hash));
/** The namespace that people look at; tables of other kinds begin with it. */
export const chosenNamespace = signal(
  place.value.view === 'table' ? place.value.query.namespace : '',
);

addEventListener('hashchange', () => show(parseRoute(location.hash)));

function show(route: Route): void {
  if (route.view === 'table') chosenNamespace.value = route.query.namespace;
  place.value = route;
}

/** Goes to a place, as a link does; `isShown`: the address says it already. */
export function go(hash: string, isShown = false): void {
  if (isShown) show(parseRoute(hash));
  else if (hash !== location.hash) location.hash = hash;
}

/** Changes what the present table shows; the way back leads past it. */
export function ask(change: Partial<TableQuery>): void {
  const here = place.value;
  if (here.view !== 'table') return;
  const query = { ...EVERYTHING, ...here.query, ...change };
  const hash = hashOf({ ...here, query });
  history.replaceState(null, '', hash);
  show(parseRoute(hash));
}

/** Changes the parameters of the present page. */
export function askPage(change: Readonly<Record<string, string>>): void {
  const here = place.value;
  if (!('parameters' in here)) return;
  const hash = hashOf({ ...here, parameters: { ...here.parameters, ...change } });
  history.replaceState(null, '', hash);
  show(parseRoute(hash));
}
