import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { at, listAt, textAt, type Json } from '../api/json.ts';
import { kindOfObject } from '../api/discovery.ts';
import type { Kind } from '../api/kind.ts';
import { useReading } from '../parts/reading.ts';
import { kinds } from '../state/catalog.ts';
import { objectHash } from '../state/route.ts';
import { dependentsOf } from './dependents.ts';
import { layout, type Node } from './family-layout.ts';

/** Relatives of each side that are drawn. */
const MOST = 12;

/** Who owns the object, and what it owns, as a graph. */
export function Family({
  kind,
  object,
}: {
  readonly kind: Kind;
  readonly object: Json;
}): JSX.Element | null {
  const uid = textAt(object, 'metadata', 'uid');
  const namespace = textAt(object, 'metadata', 'namespace');
  const all = useComputed(() => kinds.value ?? []);
  const { state } = useReading(
    (signal) => dependentsOf([uid], all.value, namespace, signal),
    [uid, namespace],
  );
  const owners = listAt(object, 'metadata', 'ownerReferences').map((owner): Node => {
    const of = kindOfObject(all.value, textAt(owner, 'apiVersion'), textAt(owner, 'kind'));
    const name = textAt(owner, 'name');
    return {
      title: name,
      note: `${textAt(owner, 'kind')}${at(owner, 'controller') === true ? ' · controller' : ''}`,
      hash: of && objectHash(of, of.namespaced ? namespace : '', name),
    };
  });
  const found = state.value.value?.dependents ?? [];
  const dependents = found.slice(0, MOST).map((each): Node => ({
    title: each.name,
    note: `${each.kind.kind}${each.isBlocking ? ' · blocks deletion' : ''}`,
    hash: objectHash(each.kind, each.namespace, each.name),
  }));
  if (owners.length === 0 && dependents.length === 0) return null;
  const here: Node = {
    title: textAt(object, 'metadata', 'name'),
    note: kind.kind,
    hash: undefined,
  };
  const { boxes, lines, width, height } = layout(owners.slice(0, MOST), here, dependents);
  return (
    <section class="card">
      <h2>Owners and dependents</h2>
      <div class="family">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-label="Owners and dependents"
        >
          {lines.map(({ path }) => (
            <path key={path} class="edge" d={path} />
          ))}
          {boxes.map(({ node, x, y, w, h, isSelf }, i) => {
            const box = (
              <g key={i} class={isSelf ? 'node self' : 'node'} transform={`translate(${x} ${y})`}>
                <title>{`${node.note} ${node.title}`}</title>
                <rect width={w} height={h} rx="6" />
                <text x="10" y="17" class="note">
                  {shortened(node.note)}
                </text>
                <text x="10" y="34">
                  {shortened(node.title)}
                </text>
              </g>
            );
            return node.hash === undefined ? (
              box
            ) : (
              <a key={i} href={node.hash}>
                {box}
              </a>
            );
          })}
        </svg>
      </div>
      {found.length > MOST && <p class="dim">and {found.length - MOST} more dependents</p>}
    </section>
  );
}

/** Characters that fit into a box. */
const FIT = 24;

function shortened(text: string): string {
  return text.length > FIT ? `${text.slice(0, FIT - 1)}…` : text;
}
