import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { ask } from '../state/place.ts';
import { nameHas } from '../state/search.ts';
import { totalText, type TableModel } from './model.ts';
import { numberText } from '../parts/numbers.ts';

/** Says that only the loaded rows were searched, and offers to search all objects on the server. */
export function FindAll({
  model,
  text,
}: {
  readonly model: TableModel;
  /** What is searched for. */
  readonly text: string;
}): JSX.Element | null {
  model.version.value; // eslint-disable-line @typescript-eslint/no-unused-expressions -- draws again when it changes
  if (text.trim() === '' || !model.isLoaded.value || !model.hasMore) return null;
  const { filter } = model.query;
  const named = nameHas(text.trim());
  return (
    <p class="banner find-all" role="status">
      <span>
        Only the {numberText(model.rows.count)} rows that are loaded were searched, of{' '}
        {totalText(model)}.
      </span>
      <button
        type="button"
        onClick={() => ask({ find: '', filter: filter === '' ? named : `(${filter}) && ${named}` })}
      >
        <Icon name="search" /> Find all whose name contains “{text.trim()}”
      </button>
    </p>
  );
}
