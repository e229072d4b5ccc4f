import { getOwn, isObject, type JsonValue } from '../api/json.ts';
import type { GroupNames, Renaming } from './definition.ts';

/*
 * Where objects name groups, except in their apiVersion and in their managers.
 * Rules of roles, webhooks and policies stay as they were written: they mean
 * both names.
 */

/** `roleRef` and `subjects` of a binding. */
export const bindingNames: Renaming = (binding, names) => {
  const { roleRef, subjects } = binding;
  rename(roleRef, 'apiGroup', names.group);
  if (Array.isArray(subjects)) {
    for (const subject of subjects) rename(subject, 'apiGroup', names.group);
  }
  return binding;
};

/** What an event is about. */
export const eventNames: Renaming = (event, names) => {
  rename(event.regarding, 'apiVersion', names.version);
  rename(event.related, 'apiVersion', names.version);
  return event;
};

/** The rules that a SelfSubjectRulesReview answers. */
export const rulesReviewNames: Renaming = (review, names) => {
  const rules = isObject(review.status) ? getOwn(review.status, 'resourceRules') : undefined;
  if (Array.isArray(rules)) for (const rule of rules) renameList(rule, names);
  return review;
};

function rename(object: JsonValue | undefined, key: string, to: (name: string) => string): void {
  if (object === undefined || !isObject(object)) return;
  const name = getOwn(object, key);
  if (typeof name === 'string') object[key] = to(name);
}

function renameList(rule: JsonValue, { group }: GroupNames): void {
  if (!isObject(rule)) return;
  const groups = getOwn(rule, 'apiGroups');
  if (!Array.isArray(groups)) return;
  rule.apiGroups = groups.map((name) => (typeof name === 'string' ? group(name) : name));
}
