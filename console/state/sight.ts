import { computed } from '@preact/signals';
import type { Kind } from '../api/kind.ts';
import { kinds } from './catalog.ts';
import { chosenNamespace } from './place.ts';
import { may, mayGetPath, readableNames } from './rights.ts';
import type { Page } from './route.ts';

/** What a user may see of a kind: the list of its objects, or single ones whose names are known. */
type Sight = 'list' | 'names';

/** What the user may see of a kind in a namespace; undefined: nothing. */
export function sightOf(kind: Kind, namespace: string): Sight | undefined {
  if (!kind.verbs.has('list')) return undefined;
  const place = kind.namespaced ? namespace : '';
  if (may('list', kind, place)) return 'list';
  return readableNames(kind, place).length > 0 ? 'names' : undefined;
}

/** The kinds of which the user may see something where they look now. */
export const seenKinds = computed(() =>
  (kinds.value ?? []).filter((kind) => sightOf(kind, chosenNamespace.value) !== undefined),
);

const ADMISSION = 'admissionregistration.cluster.io';

/** Whether a page has something to show to the user. */
export function isOffered(page: Page): boolean {
  switch (page) {
    case 'graphs':
      return mayGetPath('/metrics');
    case 'admission':
      return (kinds.value ?? []).some((kind) => kind.group === ADMISSION && may('list', kind));
    default:
      return true;
  }
}
