import { computed, effect, signal } from '@preact/signals';
import { getJson } from '../api/http.ts';
import { listAt, textAt } from '../api/json.ts';
import { pathOf, rankOf } from '../api/kind.ts';
import { kinds } from './catalog.ts';
import { chooseNamespace, chosenNamespace, place } from './place.ts';
import { answersCome } from './questions.ts';
import { hasRightsIn, may, me } from './rights.ts';
import { keepSetting, readSetting } from './settings.ts';

/** Namespaces that this browser remembers of a user. */
const MOST_REMEMBERED = 12;
/** Kinds whose objects are looked for, to find the namespaces in which the user may list them. */
const MOST_SEARCHED = 40;
/** Namespaces that are found so. */
const MOST_FOUND = 50;

/** Those that the user has chosen, the last one first. */
const remembered = signal<readonly string[]>([]);
/** Those with objects that the user may list. */
const found = signal<readonly string[]>([]);
let key = '';

/** Namespaces in which the user has rights, as far as that is known: where all cannot be listed. */
export const ownNamespaces = computed((): readonly string[] => {
  const [, , account] = /^(system:serviceaccount):([^:]+):/.exec(me.value?.name ?? '') ?? [];
  const chosen = remembered.value.filter((name) => hasRightsIn(name, true));
  const usual = [...(account ? [account] : []), 'default'].filter((name) => hasRightsIn(name));
  return [...new Set([...chosen, ...usual, ...found.value])];
});

/** Whether there is a kind whose objects the user may list everywhere. */
export const seesEverywhere = computed(() =>
  (kinds.value ?? []).some((kind) => kind.verbs.has('list') && may('list', kind)),
);

/** Begins with the namespaces of this user: without rights everywhere, in the one that was chosen last. */
export async function startNamespaces(): Promise<void> {
  key = `namespaces of ${me.value?.name ?? ''}`;
  remembered.value = namesIn(readSetting(key));
  found.value = [];
  if (!seesEverywhere.value) await answersCome();
  if (seesEverywhere.value) return;
  if (chosenNamespace.value === '') {
    const here = place.value;
    const named = here.view === 'object' || here.view === 'create' ? here.namespace : '';
    const last = named || remembered.value[0];
    if (last !== undefined && here.view !== 'table') chooseNamespace(last);
    else if (last !== undefined) chosenNamespace.value = last;
  }
  void find();
}

effect(() => {
  const name = chosenNamespace.value;
  if (key === '' || name === '' || remembered.peek()[0] === name) return;
  // the next visit does not begin with a name that was mistyped
  if (!hasRightsIn(name, true)) return;
  const others = remembered.peek().filter((each) => each !== name);
  remembered.value = [name, ...others].slice(0, MOST_REMEMBERED);
  keepSetting(key, JSON.stringify(remembered.value));
});

/** Looks where there are objects that the user may list, kinds of users first. */
async function find(): Promise<void> {
  const user = key;
  const searched = (kinds.value ?? [])
    .filter((kind) => kind.namespaced && kind.verbs.has('list'))
    .sort((a, b) => rankOf(a.group) - rankOf(b.group))
    .slice(0, MOST_SEARCHED);
  for (const kind of searched) {
    const query = 'authorized=true&groupBy=metadata.namespace';
    const answer = await getJson(`${pathOf(kind)}?${query}`).catch(() => undefined);
    if (user !== key) return;
    const names = listAt(answer, 'groups').map((group) => textAt(group, 'value'));
    const all = new Set([...found.value, ...names.filter((name) => name !== '')]);
    if (all.size > found.value.length) found.value = [...all].slice(0, MOST_FOUND);
  }
}

function namesIn(text: string | null): string[] {
  try {
    const names: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
