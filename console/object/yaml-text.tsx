import type { JSX } from 'preact';

/** Parts of a line of YAML that the server writes: indent and dashes, key, value. */
const LINE = /^(\s*(?:- )*)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:#'"][^:]*?):(?=\s|$))?(.*)$/;
const LITERAL = /^\s*(?:-?\d[\d.eE+-]*|true|false|null|~|\[\]|\{\})\s*$/;

/** YAML with colours. Every part is text. */
export function YamlText({ text }: { readonly text: string }): JSX.Element {
  return (
    <pre class="yaml" tabIndex={0} aria-label="YAML">
      {text
        .replace(/\n$/, '')
        .split('\n')
        .map((line, i) => (
          <Line key={i} line={line} />
        ))}
    </pre>
  );
}

function Line({ line }: { readonly line: string }): JSX.Element {
  const [, indent = '', key = '', value = ''] = LINE.exec(line) ?? [];
  return (
    <span class="line">
      {indent}
      {key !== '' && <span class="key">{key}</span>}
      <span class={LITERAL.test(value) ? 'literal' : 'text'}>{value}</span>
      {'\n'}
    </span>
  );
}
