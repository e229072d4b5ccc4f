import type { JsonObject } from '../../api/json.ts';
import type { UserInfo } from '../../api/user.ts';
import type { AuthorizationAttributes } from './authorizer.ts';

/** The spec of a SubjectAccessReview that asks for these attributes; what is empty is left out. */
export function reviewSpec(attributes: AuthorizationAttributes): JsonObject {
  const { user, verb, path, isResource } = attributes;
  const what = isResource
    ? { resourceAttributes: resourceAttributes(attributes) }
    : { nonResourceAttributes: filled({ path, verb }) };
  return { ...what, ...subject(user) };
}

function resourceAttributes(attributes: AuthorizationAttributes): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  const { fieldSelector, labelSelector } = attributes;
  return {
    ...filled({ namespace, verb, group, version, resource, subresource, name }),
    ...(fieldSelector === '' ? {} : { fieldSelector: { rawSelector: fieldSelector } }),
    ...(labelSelector === '' ? {} : { labelSelector: { rawSelector: labelSelector } }),
  };
}

function subject({ name, uid, groups, extra }: UserInfo): JsonObject {
  const entries = Object.entries(extra).map(([key, values]): [string, string[]] => [
    key,
    [...values],
  ]);
  return {
    ...filled({ user: name, uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}

function filled(texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
