import type { JSX } from 'preact';
import { chooseNamespace } from '../state/place.ts';
import { Notice } from './notice.tsx';

/** Stands in place of what a namespace holds that does not exist. */
export function NoNamespace({ name }: { readonly name: string }): JSX.Element {
  return (
    <Notice title={`There is no namespace ${name}`}>
      <p>
        It was deleted, or the address has a mistake. When it is made, its objects appear here at
        once.
      </p>
      <button type="button" onClick={() => chooseNamespace('')}>
        Show all namespaces
      </button>
    </Notice>
  );
}
