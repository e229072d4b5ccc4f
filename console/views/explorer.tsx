import type { JSX } from 'preact';
import type { Json } from '../api/json.ts';
import { operationsOf } from '../explorer/operations.ts';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { useReading } from '../parts/reading.ts';
import { documentAt, documentPaths } from '../schema/documents.ts';
import { askPage } from '../state/place.ts';
import { hashOf } from '../state/route.ts';
import { Try } from './explorer-try.tsx';

type Parameters = Readonly<Record<string, string>>;

const FIRST_DOCUMENT = 'api/v1';

/** Every request that the server documents, to be tried. */
export function Explorer({ parameters }: { readonly parameters: Parameters }): JSX.Element {
  const { document = FIRST_DOCUMENT, operation = '', find = '' } = parameters;
  const { state, again } = useReading(async () => {
    const paths = await documentPaths();
    const path = paths.get(document);
    const text = path === undefined ? {} : ((await documentAt(path)) as Json);
    return { names: [...paths.keys()], operations: operationsOf(text) };
  }, [document]);
  const { value, error } = state.value;
  if (error !== undefined) return <Failure error={error} retry={again} />;
  if (value === undefined) return <Loading />;
  const hash = (change: Parameters): string =>
    hashOf({ view: 'explorer', parameters: { document, ...change } });
  const chosen = value.operations.find(({ id }) => id === operation);
  const shown = value.operations.filter(({ id }) => id.toLowerCase().includes(find.toLowerCase()));
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">API explorer</h1>
        <span class="grow" />
        <label class="field">
          <span>Document</span>
          <select
            value={document}
            onChange={({ currentTarget }) =>
              (location.hash = hash({ document: currentTarget.value }))
            }
          >
            {value.names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </header>
      <div class={chosen === undefined ? 'split' : 'split chosen'}>
        <nav class="card list" aria-label="Operations">
          <input
            type="search"
            id="find"
            placeholder="Find a path"
            aria-label="Find a path"
            value={find}
            onInput={({ currentTarget }) => askPage({ find: currentTarget.value }, 'same')}
          />
          <ul data-scroll="list">
            {shown.map(({ id, method, path }) => (
              <li key={id}>
                <a
                  href={hash({ operation: id, find })}
                  aria-current={id === operation ? 'true' : undefined}
                >
                  <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {chosen === undefined ? (
          <Notice title="Choose a request" icon="explorer">
            Fill it in, send it, and copy it as a command.
          </Notice>
        ) : (
          <Try
            key={chosen.id}
            operation={chosen}
            parameters={parameters}
            listHash={hash({ find })}
          />
        )}
      </div>
    </section>
  );
}
