import type { JSX } from 'preact';
import { groupResource, type Kind } from '../api/kind.ts';
import { KindName } from '../parts/kind-name.tsx';
import { numberText } from '../parts/numbers.ts';

interface TileProps {
  readonly kind: Kind;
  /** Undefined: not counted. */
  readonly count: number | undefined;
  readonly hash: string;
}

/** A kind and the number of its objects. */
export function Tile({ kind, count, hash }: TileProps): JSX.Element {
  return (
    <li>
      <a href={hash}>
        <strong>{count === undefined ? '–' : numberText(count)}</strong>
        <KindName name={kind.kind} />
        <small class="dim">{kind.group === '' ? 'core' : kind.group}</small>
      </a>
    </li>
  );
}

/** Kinds of which there is nothing more to say, folded away. */
export function KindChips({
  title,
  kinds,
  hashOf,
}: {
  readonly title: string;
  readonly kinds: readonly Kind[];
  readonly hashOf: (kind: Kind) => string;
}): JSX.Element | null {
  if (kinds.length === 0) return null;
  return (
    <details class="card">
      <summary>{title}</summary>
      <p class="chips">
        {kinds.map((kind) => (
          <a key={groupResource(kind)} class="chip" href={hashOf(kind)}>
            {kind.kind}
          </a>
        ))}
      </p>
    </details>
  );
}
