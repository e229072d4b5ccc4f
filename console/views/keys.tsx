import type { JSX } from 'preact';

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['Ctrl', 'K'], 'Everything: kinds, objects by name, pages, commands'],
  [['g', 'c'], 'Go to a kind: g, then its first letters'],
  [['g', 'o'], 'Overview'],
  [['g', 'd'], 'Definitions'],
  [['g', 'a'], 'Access'],
  [['g', 'm'], 'Admission'],
  [['g', 'x'], 'API explorer'],
  [['g', 'h'], 'Graphs'],
  [['/'], 'Find in the rows of a table'],
  [['↓', 'j'], 'Next row'],
  [['↑', 'k'], 'Row above'],
  [['Enter'], 'Open the row'],
  [['e'], 'Open the YAML of the row'],
  [['x', 'Space'], 'Select the row; with Shift all from the last one'],
  [['a'], 'Select all rows that are loaded; again: none'],
  [['t'], 'Dark or light'],
  [['v'], 'Calm or dense'],
  [['?'], 'This page'],
  [['Esc', 'Tab'], 'In the editor, where Tab indents: leave it'],
  [['Ctrl', 'S'], 'In the editor: check and show what would change'],
];

/** The keys of the console. */
export function Keys(): JSX.Element {
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Keyboard</h1>
      </header>
      <dl class="card keys">
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
