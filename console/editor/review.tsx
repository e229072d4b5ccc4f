import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { exactText } from '../../client/exact.ts';
import { pathText, type Data } from './data.ts';
import { diffOf } from './diff.ts';
import type { Choice, Conflict } from './save.ts';

/** What would change, line by line. */
export function Diff({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): JSX.Element {
  const lines = useMemo(() => diffOf(before, after), [before, after]);
  if (lines.length === 0) return <p class="dim">The server would change nothing.</p>;
  return (
    <pre class="diff" tabIndex={0} aria-label="What would change">
      {lines.map(({ kind, text }, i) => (
        <span key={i} class={`line ${kind}`}>
          <span class="sign" aria-hidden="true">
            {SIGNS[kind]}
          </span>
          {kind === 'removed' && <span class="hidden">removed: </span>}
          {kind === 'added' && <span class="hidden">added: </span>}
          {kind === 'skipped' ? '⋯' : text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

const SIGNS = { same: ' ', removed: '−', added: '+', skipped: ' ' } as const;

interface ConflictsProps {
  readonly conflicts: readonly Conflict[];
  readonly choices: ReadonlyMap<string, Choice>;
  readonly choose: (field: string, choice: Choice) => void;
}

/** Fields that others own or have changed, with a choice for each. */
export function Conflicts({ conflicts, choices, choose }: ConflictsProps): JSX.Element {
  const takeAll = (choice: Choice): void => {
    for (const { field } of conflicts) choose(field, choice);
  };
  return (
    <ul class="conflicts">
      {conflicts.length > 1 && (
        <li class="buttons">
          <button type="button" onClick={() => takeAll('mine')}>
            Take all of mine
          </button>
          <button type="button" onClick={() => takeAll('theirs')}>
            Keep all of theirs
          </button>
        </li>
      )}
      {conflicts.map(({ field, path, owner, mine, theirs }) => {
        const name = path === undefined ? field : pathText(path);
        return (
          <li key={field} class="card">
            <fieldset>
              <legend>
                <code>{name}</code>
              </legend>
              <p class="dim">{owner}</p>
              <Option
                field={field}
                choice="theirs"
                title="Keep theirs"
                value={theirs}
                choices={choices}
                choose={choose}
              />
              <Option
                field={field}
                choice="mine"
                title="Take mine"
                value={mine}
                choices={choices}
                choose={choose}
              />
            </fieldset>
          </li>
        );
      })}
    </ul>
  );
}

interface OptionProps {
  readonly field: string;
  readonly choice: Choice;
  readonly title: string;
  readonly value: Data | undefined;
  readonly choices: ReadonlyMap<string, Choice>;
  readonly choose: (field: string, choice: Choice) => void;
}

/** Characters of a value that are shown. */
const SHOWN = 200;

function Option({ field, choice, title, value, choices, choose }: OptionProps): JSX.Element {
  const text = value === undefined ? 'removed' : exactText(value);
  return (
    <label class="check">
      <input
        type="radio"
        name={field}
        checked={choices.get(field) === choice}
        onChange={() => choose(field, choice)}
      />
      <span>
        {title} <code class="dim">{text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}</code>
      </span>
    </label>
  );
}
