import type { JSX } from 'preact';
import { Copy } from '../parts/copy.tsx';
import { Icon } from '../parts/icon.tsx';
import { NameForm } from '../parts/name-form.tsx';
import { Notice } from '../parts/notice.tsx';
import { ownNamespaces } from '../state/own-namespaces.ts';
import { chooseNamespace } from '../state/place.ts';
import { me, renewRights } from '../state/rights.ts';
import { pageHash } from '../state/route.ts';

/** What a user finds who may see nothing here: the namespaces where they may, and how to get rights. */
export function Home({ namespace }: { readonly namespace: string }): JSX.Element {
  const own = ownNamespaces.value.filter((name) => name !== namespace);
  const where = namespace === '' ? 'all namespaces at once' : namespace;
  const title =
    namespace !== ''
      ? `You see nothing in ${namespace}`
      : own.length > 0
        ? 'Choose a namespace'
        : 'You see nothing yet';
  return (
    <Notice title={title} icon="access">
      {own.length > 0 ? (
        <>
          <p>
            No role lets you see the objects of {where}. You have{' '}
            {namespace === '' ? 'rights' : 'other rights'} in:
          </p>
          <p class="buttons">
            {own.map((name) => (
              <a key={name} class="button" href={pageHash('overview', name)}>
                {name}
              </a>
            ))}
          </p>
        </>
      ) : (
        <p>No namespace is known in which you have rights. If you know one, type its name.</p>
      )}
      <NameForm label="Name of a namespace" action="Show" choose={chooseNamespace} />
      {own.length === 0 && <Command namespace={namespace} />}
      <button type="button" class="quiet" onClick={() => void renewRights()}>
        <Icon name="refresh" /> Look again
      </button>
    </Notice>
  );
}

/** What an administrator can run. */
function Command({ namespace }: { readonly namespace: string }): JSX.Element {
  const name = me.value?.name ?? '';
  const user = `'${name.replaceAll("'", String.raw`'\''`)}'`;
  const binding = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-view`;
  const where = namespace || 'NAMESPACE';
  const text = `kubectl create rolebinding ${binding} --clusterrole=view --user=${user} -n ${where}`;
  return (
    <>
      <p>An administrator can give you rights to see what is in one:</p>
      <p class="one-field">
        <code>{text}</code> <Copy text={text} label="the command" />
      </p>
    </>
  );
}
