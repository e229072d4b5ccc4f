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
const asked = new Set<string>();
const waiting: { readonly key: string; readonly right: Right; readonly namespace: string }[] = [];
let underWay = 0;

/**
 * Whether the server allows it: where the rules do not tell everything, each right
 * is a question of its own. Yes until the answer has come.
 */
export function isAnswered(right: Right, namespace: string): boolean {
  const key = JSON.stringify([right, namespace]);
  const answer = answers.value.get(key);
  if (!asked.has(key) && asked.size < MOST) {
    asked.add(key);
    waiting.push({ key, right, namespace });
    void askNext();
  }
  return answer ?? true;
}

/** The rights may have changed, or the user is another one. */
export function forgetAnswers(): void {
  asked.clear();
  waiting.length = 0;
  answers.value = new Map();
}

async function askNext(): Promise<void> {
  if (underWay >= AT_ONCE) return;
  underWay++;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
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
    const isAllowed = at(review, 'status', 'allowed');
    if (asked.has(key) && isAllowed !== undefined) {
      answers.value = new Map(answers.value).set(key, isAllowed === true);
    }
  }
  underWay--;
}
