import type { JSX } from 'preact';

/** The name of a kind; it may break between its words. */
export function KindName({ name }: { readonly name: string }): JSX.Element {
  return (
    <span class="kind-name">
      {name.split(/(?<=[a-z])(?=[A-Z])/).map((word, i) => (
        <span key={i}>
          {i > 0 && <wbr />}
          {word}
        </span>
      ))}
    </span>
  );
}
