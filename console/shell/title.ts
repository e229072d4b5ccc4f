import type { Route } from '../state/route.ts';

/** The title of the window at a place. */
export function titleOf(route: Route): string {
  switch (route.view) {
    case 'table':
      return `${route.kind.plural} · Plinth`;
    case 'object':
      return `${route.name} · ${route.kind.plural} · Plinth`;
    case 'create':
      return `Create · ${route.kind.plural} · Plinth`;
    case 'missing':
      return 'Plinth';
    default:
      return `${pageTitle(route.view)} · Plinth`;
  }
}

const TITLES: Readonly<Record<string, string>> = { explorer: 'API explorer', keys: 'Keyboard' };

/** The name of a page. */
export function pageTitle(view: string): string {
  return TITLES[view] ?? view.charAt(0).toUpperCase() + view.slice(1);
}
