import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { groupResource, type Kind } from '../api/kind.ts';
import type { OverviewModel } from './overview-model.ts';
import { Tile } from './tile.tsx';
import { numberText } from '../parts/numbers.ts';

interface MoreKindsProps {
  readonly kinds: readonly Kind[];
  readonly model: OverviewModel;
  readonly hashOf: (kind: Kind) => string;
}

/** Kinds that are too many to follow: each is counted when it comes into view, or all when asked. */
export function MoreKinds({ kinds, model, hashOf }: MoreKindsProps): JSX.Element | null {
  const isOpen = useSignal(false);
  if (kinds.length === 0) return null;
  const counted = kinds.filter((kind) => model.counts.value.has(groupResource(kind))).length;
  return (
    <details class="card" onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>{numberText(kinds.length)} more kinds, not followed live</summary>
      {isOpen.value && (
        <>
          <p class="dim">
            Each is counted when it comes into view; its number stands still from then on.{' '}
            {numberText(counted)} are counted.{' '}
            <button type="button" class="small" onClick={() => model.want(kinds)}>
              Count all
            </button>
          </p>
          <Tiles kinds={kinds} model={model} hashOf={hashOf} />
        </>
      )}
    </details>
  );
}

function Tiles({ kinds, model, hashOf }: MoreKindsProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const keys = kinds.map(groupResource).join();
  useEffect(() => {
    const items = [...(list.current?.children ?? [])];
    const byItem = new Map(items.map((item, i) => [item, kinds[i]]));
    const observer = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) {
        const kind = byItem.get(target);
        if (kind === undefined || model.counts.peek().has(groupResource(kind))) continue;
        if (isIntersecting) model.want([kind]);
        else model.unwant([kind]);
      }
    });
    for (const item of items) observer.observe(item);
    return () => observer.disconnect();
  }, [keys, model]);
  return (
    <ul class="tiles small-tiles" ref={list}>
      {kinds.map((kind) => (
        <Tile
          key={groupResource(kind)}
          kind={kind}
          count={model.counts.value.get(groupResource(kind))}
          hash={hashOf(kind)}
        />
      ))}
    </ul>
  );
}
