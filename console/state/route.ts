import type { KindName } from '../api/kind.ts';

/** What a table shows, as it stands in the address. */
export interface TableQuery {
  /** Empty: all namespaces. */
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
  readonly filter: string;
  readonly order: string;
  /** Text that the loaded rows are searched for, in the browser. */
  readonly find: string;
}

export type Page =
  | 'overview'
  | 'definitions'
  | 'access'
  | 'admission'
  | 'explorer'
  | 'graphs'
  | 'keys';

interface CreateRoute {
  readonly view: 'create';
  readonly kind: KindName;
  readonly namespace: string;
  /** By a form; otherwise as text. */
  readonly isForm: boolean;
}

export type Route =
  | { readonly view: Page; readonly parameters: Readonly<Record<string, string>> }
  | { readonly view: 'table'; readonly kind: KindName; readonly query: TableQuery }
  | {
      readonly view: 'object';
      readonly kind: KindName;
      readonly namespace: string;
      readonly name: string;
      readonly tab: string;
    }
  | CreateRoute
  | { readonly view: 'missing'; readonly path: string };

const PAGES: readonly Page[] = [
  ...(['overview', 'definitions', 'access', 'admission', 'explorer', 'graphs', 'keys'] as const),
];
export const EVERYTHING: TableQuery = {
  ...{ namespace: '', labels: '', fields: '', filter: '', order: '', find: '' },
};
const CORE = 'core';
const NO_NAMESPACE = '-';
const FORM = 'form';

/** The place that an address names; `hash` is the part of the address from its `#` on. */
export function parseRoute(hash: string): Route {
  const [path, search] = splitOnce(hash.replace(/^#\/?/, ''), '?');
  const query = new URLSearchParams(search);
  const steps = path.split('/').map(decoded);
  const [first = '', group = '', version = '', plural = '', place, name] = steps;
  if (first === '' || isPage(first)) {
    const parameters = Object.fromEntries(query);
    return steps.length > 1
      ? { view: 'missing', path }
      : { view: first === '' ? 'overview' : first, parameters };
  }
  const kind = { group: group === CORE ? '' : group, version, plural };
  if (plural !== '' && first === 'new') {
    const isForm = query.get('as') === FORM;
    return { view: 'create', kind, namespace: query.get('namespace') ?? '', isForm };
  }
  if (plural === '' || first !== 'kind') return { view: 'missing', path };
  if (place === undefined) return { view: 'table', kind, query: tableQuery(query) };
  if (name === undefined || name === '') return { view: 'missing', path };
  const namespace = place === NO_NAMESPACE ? '' : place;
  return { view: 'object', kind, namespace, name, tab: query.get('tab') ?? 'summary' };
}

/** The address of a place; {@link parseRoute} reads it. */
export function hashOf(route: Route): string {
  switch (route.view) {
    case 'missing':
      return `#/${route.path}`;
    case 'table':
      return `#/kind/${stepsOf(route.kind)}${searchOf(entriesOf(route.query))}`;
    case 'object': {
      const place = route.namespace === '' ? NO_NAMESPACE : encodeURIComponent(route.namespace);
      const tab = route.tab === 'summary' ? '' : route.tab;
      const path = `${stepsOf(route.kind)}/${place}/${encodeURIComponent(route.name)}`;
      return `#/kind/${path}${searchOf({ tab })}`;
    }
    case 'create':
      return `#/new/${stepsOf(route.kind)}${searchOf({
        namespace: route.namespace,
        as: route.isForm ? FORM : '',
      })}`;
    default:
      return `#/${route.view}${searchOf(route.parameters)}`;
  }
}

/** The address of all objects of a kind. */
export function tableHash(kind: KindName, query: Partial<TableQuery> = {}): string {
  return hashOf({ view: 'table', kind, query: { ...EVERYTHING, ...query } });
}

/** The address of an object. */
export function objectHash(
  kind: KindName,
  namespace: string,
  name: string,
  tab = 'summary',
): string {
  return hashOf({ view: 'object', kind, namespace, name, tab });
}

/** The address at which an object is made. */
export function createHash(kind: KindName, namespace: string, isForm = false): string {
  return hashOf({ view: 'create', kind, namespace, isForm });
}

/** The address of a page; the overview is that of a namespace, the empty one: of everything. */
export function pageHash(view: Page, namespace: string): string {
  return hashOf({ view, parameters: view === 'overview' ? { namespace } : {} });
}

function isPage(text: string): text is Page {
  return (PAGES as readonly string[]).includes(text);
}

function tableQuery(query: URLSearchParams): TableQuery {
  const of = (name: keyof TableQuery): string => query.get(name) ?? '';
  return {
    ...{ namespace: of('namespace'), labels: of('labels'), fields: of('fields') },
    ...{ filter: of('filter'), order: of('order'), find: of('find') },
  };
}

function stepsOf({ group, version, plural }: KindName): string {
  return [group === '' ? CORE : group, version, plural].map(encodeURIComponent).join('/');
}

const entriesOf = (query: TableQuery): Record<string, string> => ({ ...query });

function searchOf(values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== '') query.set(name, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
