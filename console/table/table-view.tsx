import { computed, effect, useSignal, type ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Refused, Unreachable } from '../api/http.ts';
import { groupResource, type Kind } from '../api/kind.ts';
import { shortText } from '../api/json.ts';
import { VersionChoice, Warnings } from '../object/version-choice.tsx';
import { Icon } from '../parts/icon.tsx';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { NoNamespace } from '../parts/no-namespace.tsx';
import { isMissing } from '../state/namespaces.ts';
import { ask } from '../state/place.ts';
import { may } from '../state/rights.ts';
import { createHash, tableHash, type TableQuery } from '../state/route.ts';
import { Kept, visit } from '../state/visits.ts';
import { Bulk } from './bulk.tsx';
import { FindAll } from './find-all.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { leave, modelOf } from './left-models.ts';
import { totalText, type TableModel } from './model.ts';
import { NotListed } from './not-listed.tsx';
import type { Row } from './rows.ts';
import { Selection } from './selection.ts';
import { numberText } from '../parts/numbers.ts';

/** Keys of the rows that are selected. */
const SELECTED = new Kept<readonly string[]>('selected');

/** All objects of a kind, as a live table. */
export function TableView({
  kind,
  query,
}: {
  readonly kind: Kind;
  readonly query: TableQuery;
}): JSX.Element {
  const { namespace, labels, fields, filter, order } = query;
  const parts = [kind.group, kind.version, kind.plural, namespace, labels, fields, filter, order];
  const model = useMemo(() => modelOf(kind, query), parts);
  useEffect(() => () => leave(model), [model]);
  const selection = useMemo(() => new Selection(SELECTED.of(visit.peek()) ?? []), [model]);
  const id = visit.value;
  useEffect(() => effect(() => SELECTED.keep(id, [...selection.keys.value])), [selection, id]);
  const find = useSignal(query.find);
  find.value = query.find;
  const found = useComputedOf(model, () => {
    const text = find.value.toLowerCase();
    return text === '' || model.version.value < 0
      ? undefined
      : model.rows.all().filter((row) => isFound(row, text));
  });
  return (
    <section class="table-view" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{kind.kind}</h1>
        <VersionChoice
          key={groupResource(kind)}
          kind={kind}
          hashOf={(other) => tableHash(other, query)}
        />
        <Count model={model} found={found.value} />
        <span class="grow" />
        <FilterBar key={groupResource(kind)} query={query} />
        {may('create', kind, namespace) && (
          <a class="button primary" href={createHash(kind, namespace)}>
            <Icon name="plus" /> <span>Create</span>
          </a>
        )}
      </header>
      <Warnings texts={model.warnings.value} />
      <Bulk model={model} selection={selection} found={found.value} />
      <FindAll model={model} text={query.find} />
      <Content key={parts.join(' ')} model={model} selection={selection} found={found} />
    </section>
  );
}

/** What follows from the rows of a table; of another table it is another. */
function useComputedOf<T>(model: TableModel, compute: () => T): ReadonlySignal<T> {
  return useMemo(() => computed(compute), [model]);
}

function Content({ model, selection, found }: Parameters<typeof Grid>[0]): JSX.Element {
  const error = model.error.value;
  const isEmpty = useComputedOf(model, () => model.version.value >= 0 && model.total === 0);
  // what was read stays in sight while the server is away
  const isKept = error instanceof Unreachable && model.isLoaded.value;
  if (error !== undefined && !isKept) {
    const retry = (): void => model.reload();
    const { kind, query } = model;
    if (!(error instanceof Refused) || error.code !== 403)
      return <Failure error={error} retry={retry} />;
    return <NotListed kind={kind} namespace={query.namespace} error={error} retry={retry} />;
  }
  if (!model.isLoaded.value) return <Loading />;
  if (found.value?.length === 0 && !isEmpty.value) {
    return (
      <Notice title="No row has this text" icon="search">
        <p>
          {model.hasMore
            ? 'Rows that are not loaded were not searched.'
            : 'Try fewer letters, or clear the search.'}
        </p>
        <button type="button" onClick={() => ask({ find: '' })}>
          Clear the search
        </button>
      </Notice>
    );
  }
  if (isEmpty.value) return <Empty model={model} />;
  return <Grid model={model} found={found} selection={selection} />;
}

function Empty({ model: { kind, query } }: { readonly model: TableModel }): JSX.Element {
  if (kind.namespaced && isMissing(query.namespace)) return <NoNamespace name={query.namespace} />;
  const isFiltered = query.labels !== '' || query.fields !== '' || query.filter !== '';
  if (isFiltered) {
    return (
      <Notice title="Nothing matches the filter" icon="filter">
        <button type="button" onClick={() => ask({ labels: '', fields: '', filter: '' })}>
          Clear the filter
        </button>
      </Notice>
    );
  }
  const where = query.namespace === '' ? '' : ` in ${query.namespace}`;
  return (
    <Notice title={`No ${kind.kind} yet${where}`}>
      <p>New objects appear here at once.</p>
      {query.namespace !== '' && (
        <button type="button" onClick={() => ask({ namespace: '' })}>
          Show all namespaces
        </button>
      )}
      {may('create', kind, query.namespace) && (
        <a class="button primary" href={createHash(kind, query.namespace)}>
          Create one
        </a>
      )}
    </Notice>
  );
}

function Count({
  model,
  found,
}: {
  readonly model: TableModel;
  readonly found: readonly Row[] | undefined;
}): JSX.Element | null {
  const text = useComputedOf(model, () => (model.version.value < 0 ? '' : totalText(model)));
  if (!model.isLoaded.value) return null;
  return (
    <>
      <span class="count" aria-live="off">
        {found === undefined ? text : `${numberText(found.length)} of ${text.value}`}
      </span>
      {model.isStill.value && (
        <button
          type="button"
          class="quiet small"
          title={`You may list ${model.kind.plural}, but not watch them`}
          onClick={() => model.liven()}
        >
          <Icon name="refresh" /> Not live: read again
        </button>
      )}
      {model.isOutOfOrder.value && (
        <button type="button" class="quiet small" onClick={() => model.reload()}>
          <Icon name="refresh" /> Changed since it was ordered
        </button>
      )}
    </>
  );
}

function isFound(row: Row, text: string): boolean {
  return (
    row.name.toLowerCase().includes(text) ||
    row.namespace.toLowerCase().includes(text) ||
    row.cells.some((cell) => shortText(cell).toLowerCase().includes(text)) ||
    row.labels.some(([key, value]) => `${key}=${value}`.toLowerCase().includes(text))
  );
}
