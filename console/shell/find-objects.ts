import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { RETRY_MS, sentenceOf, Unreachable } from '../api/http.ts';
import { listAt, textAt } from '../api/json.ts';
import { isRestless, rankOf, type Kind } from '../api/kind.ts';
import { listEach } from '../api/lists.ts';
import { counted } from '../parts/numbers.ts';
import { kinds } from '../state/catalog.ts';
import { nameHas } from '../state/search.ts';

/** Letters from which on objects are searched for. */
const LEAST_LETTERS = 2;
/** Pause after the last letter before the server is asked. */
const PAUSE_MS = 250;
/** Objects of one kind that are found at most. */
const MOST_OF_KIND = 5;
/** Kinds that are searched, those of definitions first. */
const MOST_KINDS = 180;

/** An object by its name. */
interface FoundObject {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

interface FoundObjects {
  /** What they were searched for. */
  readonly text: string;
  readonly objects: readonly FoundObject[];
  /** More words about it: that there are more, or why there are none. */
  readonly note: string;
}

const NOTHING: FoundObjects = { text: '', objects: [], note: '' };

/**
 * The objects whose name contains a text, of all kinds, as far as the user may read
 * them. Another text gives the search up. `isBusy`: the answer is on its way.
 */
export function useObjects(given: string): FoundObjects & { readonly isBusy: boolean } {
  const text = given.trim();
  const found = useSignal(NOTHING);
  const isWanted = text.length >= LEAST_LETTERS;
  useEffect(() => {
    if (!isWanted) return undefined;
    const abort = new AbortController();
    const search = (): void => {
      find(text, abort.signal).then(
        (answer) => (found.value = answer),
        (error: unknown) => {
          if (abort.signal.aborted) return;
          found.value = { text, objects: [], note: `No objects: ${sentenceOf(error)}` };
          if (error instanceof Unreachable) timer = setTimeout(search, RETRY_MS);
        },
      );
    };
    let timer = setTimeout(search, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, isWanted]);
  const isDone = found.value.text === text;
  return { ...(isWanted && isDone ? found.value : NOTHING), isBusy: isWanted && !isDone };
}

async function find(text: string, signal: AbortSignal): Promise<FoundObjects> {
  const offered = (kinds.value ?? [])
    .filter((kind) => kind.verbs.has('list') && kind.verbs.has('watch') && !isRestless(kind))
    .toSorted((a, b) => rankOf(a.group) - rankOf(b.group));
  const searched = offered.slice(0, MOST_KINDS);
  const { lists } = await listEach(searched, {
    namespace: '',
    parameters: {
      ...{ filter: nameHas(text), fields: 'metadata.name', limit: String(MOST_OF_KIND) },
      // without it, the kinds of which the user may read only some would be left out
      authorized: 'true',
    },
    signal,
  });
  const objects = lists.flatMap(([kind, list]) =>
    listAt(list, 'items').map((item) => ({
      kind,
      namespace: textAt(item, 'metadata', 'namespace'),
      name: textAt(item, 'metadata', 'name'),
    })),
  );
  const isMore = lists.some(([, list]) => textAt(list, 'metadata', 'continue') !== '');
  const notes = [
    ...(isMore ? ['More objects have this text: type more of the name.'] : []),
    ...(offered.length > searched.length
      ? [`${searched.length} of ${counted(offered.length, 'kind')} were searched.`]
      : []),
  ];
  return { text, objects, note: notes.join(' ') };
}
