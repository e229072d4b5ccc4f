import type { JSX } from 'preact';
import type { Kind } from '../api/kind.ts';
import { NameForm } from '../parts/name-form.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import { ownNamespaces } from '../state/own-namespaces.ts';
import { go } from '../state/place.ts';
import { readableNames } from '../state/rights.ts';
import { objectHash, tableHash } from '../state/route.ts';
import { sightOf } from '../state/sight.ts';

interface NotListedProps {
  readonly kind: Kind;
  readonly namespace: string;
  /** The refusal of the server. */
  readonly error: Error;
  readonly retry: () => void;
}

/** A list that the server refuses, with what the user may see in its place. */
export function NotListed({ kind, namespace, error, retry }: NotListedProps): JSX.Element {
  if (kind.namespaced && namespace === '') {
    const others = ownNamespaces.value.filter((name) => sightOf(kind, name) !== undefined);
    if (others.length > 0) return <InOthers kind={kind} namespaces={others} />;
  }
  const names = readableNames(kind, namespace);
  const canOpen = names.length > 0 && (!kind.namespaced || namespace !== '');
  return canOpen ? (
    <ByName kind={kind} namespace={namespace} names={names} />
  ) : (
    <Failure error={error} retry={retry} />
  );
}

function InOthers({
  kind,
  namespaces,
}: {
  readonly kind: Kind;
  readonly namespaces: readonly string[];
}): JSX.Element {
  return (
    <Notice title="Choose a namespace" icon="access">
      <p>You may not see {kind.plural} of all namespaces at once, but of:</p>
      <p class="buttons">
        {namespaces.map((name) => (
          <a key={name} class="button" href={tableHash(kind, { namespace: name })}>
            {name}
          </a>
        ))}
      </p>
    </Notice>
  );
}

function ByName({
  kind,
  namespace,
  names,
}: {
  readonly kind: Kind;
  readonly namespace: string;
  /** The empty name: every one. */
  readonly names: readonly string[];
}): JSX.Element {
  const known = names.filter((name) => name !== '');
  const where = namespace === '' ? '' : ` in ${namespace}`;
  return (
    <Notice title={`Open ${kind.plural} by name`} icon="access">
      <p>
        You may not list {kind.plural}
        {where}, but you may read {names.includes('') ? 'each of them' : 'these'}.
      </p>
      <p class="buttons">
        {known.map((name) => (
          <a key={name} class="button" href={objectHash(kind, namespace, name)}>
            {name}
          </a>
        ))}
      </p>
      {names.includes('') && (
        <NameForm
          label={`Name of a ${kind.kind}`}
          action="Open"
          choose={(name) => go(objectHash(kind, namespace, name))}
        />
      )}
    </Notice>
  );
}
