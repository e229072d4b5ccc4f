import { signal } from '@preact/signals';
import { postJson, Refused, RETRY_MS } from '../api/http.ts';
import { listAt, textAt } from '../api/json.ts';
import type { Kind } from '../api/kind.ts';
import { isAllowed, isPathAllowed, namesAllowed, rightsOf, type Rights } from '../api/rules.ts';
import { forgetAnswers, isAnswered } from './questions.ts';

const AUTHORIZATION = '/apis/authorization.cluster.io/v1';
/** A review needs a namespace. None can have this name: what holds there holds everywhere. */
const NOWHERE = '-';

/** Rights by namespace; those of the empty one hold everywhere. */
const known = signal<ReadonlyMap<string, Rights>>(new Map());
const UNTOLD: Rights = { rules: [], paths: [], isIncomplete: true };
/** Namespaces whose rights were asked for; another set once all are asked for again. */
let asked = new Set<string>();

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

/** Reads what the user may do in a namespace; the empty one: everywhere. Never fails. */
async function readRights(namespace: string): Promise<void> {
  const own = asked.add(namespace);
  try {
    const review = await postJson(`${AUTHORIZATION}/selfsubjectrulesreviews`, {
      apiVersion: 'authorization.cluster.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace: namespace === '' ? NOWHERE : namespace },
    });
    // the answer may be of another user
    if (own === asked) known.value = new Map(known.value).set(namespace, rightsOf(review));
  } catch (error) {
    if (own !== asked) return;
    // without a review each right is a question of its own
    if (error instanceof Refused) known.value = new Map(known.value).set(namespace, UNTOLD);
    else setTimeout(() => own === asked && void readRights(namespace), RETRY_MS);
  }
}

/** Reads all rights again: they may have changed, or the user is another one. */
export async function renewRights(isOtherUser = false): Promise<void> {
  if (isOtherUser) known.value = new Map();
  forgetAnswers();
  const again = [...asked];
  asked = new Set();
  await Promise.all((isOtherUser ? [''] : again).map(readRights));
}

/** The rights of a namespace, as far as they are known. */
function need(namespace: string): Rights | undefined {
  if (!asked.has(namespace)) void readRights(namespace);
  return known.value.get(namespace);
}

/** Whether the server has said what the user may do there. */
export function areRightsKnown(namespace: string): boolean {
  return need(namespace) !== undefined;
}

/**
 * Whether a review says that the user has rights in a namespace that do not hold
 * everywhere; `orUntold`: or that it does not tell all of them.
 */
export function hasRightsIn(namespace: string, orUntold = false): boolean {
  const [everywhere, here] = [need(''), need(namespace)];
  if (orUntold && here?.isIncomplete === true) return true;
  return (here?.rules.length ?? 0) > (everywhere?.rules.length ?? 0);
}

/**
 * Whether to offer an action; without a name: on every object of the kind. Until
 * any right is known everything is offered: the server decides.
 */
export function may(verb: string, kind: Kind, namespace = '', name?: string, sub = ''): boolean {
  if (sub === '' && !kind.verbs.has(verb)) return false;
  const resource = sub === '' ? kind.plural : `${kind.plural}/${sub}`;
  const right = { verb, group: kind.group, resource, ...(name ? { name } : {}) };
  const place = kind.namespaced ? namespace : '';
  const [everywhere, here] = [need(''), need(place)];
  if (everywhere === undefined && here === undefined) return true;
  if ([everywhere, here].some((each) => each && isAllowed(each.rules, right))) return true;
  return (here ?? everywhere)?.isIncomplete === true && isAnswered(right, place);
}

/** The names of the objects that may be read one by one; the empty name stands for all. */
export function readableNames(kind: Kind, namespace: string): string[] {
  const place = kind.namespaced ? namespace : '';
  const rules = [need(''), need(place)].flatMap((each) => each?.rules ?? []);
  return namesAllowed(rules, { verb: 'get', group: kind.group, resource: kind.plural });
}

/** Whether to offer what a path shows that names no resource. */
export function mayGetPath(path: string): boolean {
  const everywhere = need('');
  return (
    everywhere === undefined || everywhere.isIncomplete || isPathAllowed(everywhere.paths, path)
  );
}
