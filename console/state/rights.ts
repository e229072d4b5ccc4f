import { signal } from '@preact/signals';
import { getJson, postJson } from '../api/http.ts';
import { listAt, textAt } from '../api/json.ts';
import type { Kind } from '../api/kind.ts';
import { isAllowed, rulesOf, type Rule } from '../api/rules.ts';

const AUTHORIZATION = '/apis/authorization.cluster.io/v1';

/** Rules by namespace; the empty one stands for what holds everywhere, as far as that can be asked. */
const known = signal<ReadonlyMap<string, readonly Rule[]>>(new Map());
const asked = new Set<string>();

/** The user who is signed in. */
interface Me {
  readonly name: string;
  readonly groups: readonly string[];
}
export const me = signal<Me | undefined>(undefined);

/** Asks the server who is signed in. @throws Refused, Unreachable */
export async function readMe(): Promise<void> {
  const review = await postJson('/apis/authentication.cluster.io/v1/selfsubjectreviews', {
    apiVersion: 'authentication.cluster.io/v1',
    kind: 'SelfSubjectReview',
  });
  me.value = {
    name: textAt(review, 'status', 'userInfo', 'username'),
    groups: listAt(review, 'status', 'userInfo', 'groups').map(String),
  };
}

/** Reads the rules of a namespace once. */
function need(namespace: string): void {
  if (asked.has(namespace)) return;
  asked.add(namespace);
  postJson(`${AUTHORIZATION}/selfsubjectrulesreviews`, {
    apiVersion: 'authorization.cluster.io/v1',
    kind: 'SelfSubjectRulesReview',
    spec: { namespace: namespace === '' ? 'default' : namespace },
  }).then(
    (review) => {
      known.value = new Map(known.value).set(namespace, rulesOf(review));
    },
    () => {
      asked.delete(namespace);
    },
  );
}

/**
 * Whether to offer an action. Until the rules are known, and where they do not
 * tell, only what is certainly forbidden is left out: the server decides.
 */
export function may(verb: string, kind: Kind, namespace = '', name?: string, sub = ''): boolean {
  if (sub === '' && !kind.verbs.has(verb)) return false;
  need(namespace);
  const rules = known.value.get(namespace);
  if (rules === undefined) return true;
  const resource = sub === '' ? kind.plural : `${kind.plural}/${sub}`;
  return isAllowed(rules, { verb, group: kind.group, resource, ...(name ? { name } : {}) });
}

/** Names of namespaces, as far as the user may list them; undefined until read. */
export const namespaces = signal<readonly string[] | undefined>(undefined);

/** Reads the names of namespaces; stays without them where that is refused. */
export async function readNamespaces(): Promise<void> {
  try {
    const list = await getJson('/api/v1/namespaces?fields=metadata.name&limit=1000');
    namespaces.value = listAt(list, 'items').map((item) => textAt(item, 'metadata', 'name'));
  } catch {
    namespaces.value = [];
  }
}
