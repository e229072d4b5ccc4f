import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { GroupVersionKind, GroupVersionResource } from '../../api/group-version.ts';
import { aliasGroup } from '../../api/naming.ts';
import type { UserInfo } from '../../api/user.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { ResourceVersion } from '../kind-access.ts';

/**
 * What reviews and expressions are told of a request, without the objects.
 * What is empty is left out, as clients of this API have always seen it.
 * `matched`: in which version it is shown.
 */
export function requestValues(
  attributes: AdmissionAttributes,
  matched: ResourceVersion,
): JsonObject {
  const { resource, kind, subresource, namespace, operation, dryRun, user } = attributes;
  // each object that goes with a collection is shown without its name, as it has always been
  const name = operation === 'DELETE' ? attributes.pathName : attributes.name;
  return {
    kind: { ...matched.kind },
    resource: { ...matched.resource },
    ...notEmpty('subResource', subresource),
    requestKind: named(kind, matched.kind),
    requestResource: named(resource, matched.resource),
    ...notEmpty('requestSubResource', subresource),
    ...notEmpty('name', name),
    ...notEmpty('namespace', namespace),
    operation,
    userInfo: userValues(user),
    dryRun,
    options: attributes.options,
  };
}

/** In the name of the group in which the rule asks. */
function named<T extends GroupVersionKind | GroupVersionResource>(own: T, asked: T): JsonObject {
  return asked.group === aliasGroup(own.group) ? { ...own, group: asked.group } : { ...own };
}

function userValues({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...notEmpty('username', name),
    ...notEmpty('uid', uid),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0
      ? {}
      : {
          extra: Object.fromEntries(
            Object.entries(extra).map(([key, values]) => [key, [...values]]),
          ),
        }),
  };
}

function notEmpty(key: string, text: string): JsonObject {
  return text === '' ? {} : { [key]: text };
}

const NAMESPACE_METADATA = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
];

/** The variable `namespaceObject`: without owners and managers, which expressions must not see. */
export function namespaceValues(namespace: JsonObject): JsonObject {
  const metadata: JsonObject = {};
  const given = isObject(namespace.metadata) ? namespace.metadata : {};
  for (const key of NAMESPACE_METADATA) {
    const value = getOwn(given, key);
    if (value !== undefined) metadata[key] = value;
  }
  const part = (key: string): JsonValue => getOwn(namespace, key) ?? {};
  return { metadata, spec: part('spec'), status: part('status') };
}
