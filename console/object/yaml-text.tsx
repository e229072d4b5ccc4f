import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { partsOf, type YamlLine, type YamlPart } from './yaml-parts.ts';
import { numberText } from '../parts/numbers.ts';

/** Parts of a line of YAML that the server writes: indent and dashes, key, value. */
const LINE = /^(\s*(?:- )*)((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:#'"][^:]*?):(?=\s|$))?(.*)$/;
const LITERAL = /^\s*(?:-?\d[\d.eE+-]*|true|false|null|~|\[\]|\{\})\s*$/;

/** Parts that are drawn in one turn: more would hold the page. */
const AT_ONCE = 3;
/** Of a longer line its beginning is shown, and more in steps. */
const MOST_CHARACTERS = 1_000;
const STEP = 20_000;

interface Drawn {
  readonly source: string;
  readonly element: JSX.Element;
}

/** YAML with colours. Every part is text. A long one is drawn in turns, from its beginning. */
export function YamlText({ text }: { readonly text: string }): JSX.Element {
  const parts = useMemo(() => partsOf(text), [text]);
  const drawn = useSignal<readonly Drawn[]>([]);
  const isDrawing = useSignal(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (begin: number): void => {
      const next = [...drawn.value];
      const at = drawSome(parts, next, begin);
      drawn.value = next;
      isDrawing.value = at < parts.length;
      if (at < parts.length) timer = setTimeout(() => draw(at), 0);
    };
    draw(0);
    return () => clearTimeout(timer);
  }, [parts]);
  return (
    <pre class="yaml" tabIndex={0} aria-label="YAML" aria-busy={isDrawing.value}>
      {drawn.value.map(({ element }) => element)}
    </pre>
  );
}

/** Draws parts that have changed, from a number on; the answer: where to go on. */
function drawSome(parts: readonly YamlPart[], drawn: Drawn[], begin: number): number {
  let at = begin;
  for (let left = AT_ONCE; at < parts.length && left > 0; at++) {
    const part = parts[at];
    if (part === undefined || part.source === drawn[at]?.source) continue;
    drawn[at] = { source: part.source, element: <Part key={at} part={part} /> };
    left--;
  }
  if (at === parts.length) drawn.length = at;
  return at;
}

function Part({ part: { lines } }: { readonly part: YamlPart }): JSX.Element {
  return (
    <span class="part" style={{ '--lines': lines.length }}>
      {lines.map((line, i) => [drawLine(line), i < lines.length - 1 && '\n'])}
    </span>
  );
}

/** A line without a component of its own: there are many of them. */
function drawLine({ text, isText }: YamlLine): ComponentChildren {
  if (text.length > MOST_CHARACTERS) {
    const beginning = { text: text.slice(0, MOST_CHARACTERS), isText };
    return [drawLine(beginning), <Rest key="rest" text={text} />];
  }
  const [, indent = '', key = '', value = ''] = (!isText && LINE.exec(text)) || [];
  if (key === '' && !LITERAL.test(value)) return text;
  return [
    indent,
    key !== '' && <span class="key">{key}</span>,
    LITERAL.test(value) ? <span class="literal">{value}</span> : value,
  ];
}

function Rest({ text }: { readonly text: string }): JSX.Element {
  const shown = useSignal(MOST_CHARACTERS);
  const left = text.length - shown.value;
  return (
    <>
      {text.slice(MOST_CHARACTERS, shown.value)}
      {left > 0 && (
        <button type="button" class="small" onClick={() => (shown.value += STEP)}>
          Show more of {numberText(left)} characters
        </button>
      )}
    </>
  );
}
