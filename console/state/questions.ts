import { signal } from '@preact/signals';
import { postJson } from '../api/http.ts';
import { at } from '../api/json.ts';
import type { Right } from '../api/rules.ts';

const PATH = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
/** Questions that are asked; beyond them the server decides when something is tried. */
const MOST = 500;
/** How many of them are on their way at a time. */
const AT_ONCE = 6;

/** By question: what the server has said. */
const answers = signal<ReadonlyMap<string, boolean>>(new Map());
/** By key; another set once the answers are forgotten. */
let asked = new Set<string>();
const waiting: { readonly key: string; readonly right: Right; readonly namespace: string }[] = [];
let underWay = 0;
/** Some answer has not come yet. */
export const isAsking = signal(false);
const idle = new Set<() => void>();

/**
 * Whether the server allows it: where the rules do not tell everything, each right
 * is a question of its own. No until the answer has come; yes where it is not asked.
 */
export function isAnswered(right: Right, namespace: string): boolean {
  const key = JSON.stringify([right, namespace]);
  const answer = answers.value.get(key);
  if (asked.has(key)) return answer ?? false;
  if (asked.size >= MOST) return true;
  asked.add(key);
  waiting.push({ key, right, namespace });
  void askNext();
  return false;
}

/** Waits until all questions are answered. */
export async function answersCome(): Promise<void> {
  if (waiting.length > 0 || underWay > 0) await new Promise<void>((resolve) => idle.add(resolve));
}

/** The rights may have changed, or the user is another one. */
export function forgetAnswers(): void {
  asked = new Set();
  waiting.length = 0;
  answers.value = new Map();
}

async function askNext(): Promise<void> {
  if (underWay >= AT_ONCE) return;
  underWay++;
  // not while a view is drawn
  await Promise.resolve();
  isAsking.value = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const own = asked;
    const { key, right, namespace } = next;
    const { verb, group, resource, name } = right;
    const [plural = '', subresource] = resource.split('/');
    const resourceAttributes = {
      ...{ verb, group, resource: plural },
      ...(namespace === '' ? {} : { namespace }),
      ...(subresource === undefined ? {} : { subresource }),
      ...(name === undefined ? {} : { name }),
    };
    const review = await postJson(PATH, {
      apiVersion: 'authorization.cluster.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    }).catch(() => undefined);
    // the answer may be of another user
    if (own !== asked) continue;
    const isAllowed = at(review, 'status', 'allowed');
    if (isAllowed === undefined) asked.delete(key);
    else answers.value = new Map(answers.value).set(key, isAllowed === true);
  }
  underWay--;
  if (underWay > 0) return;
  isAsking.value = false;
  for (const resolve of idle) resolve();
  idle.clear();
}
