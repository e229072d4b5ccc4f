import { getOwn, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { apiObjectOf } from '../api/object.ts';
import {
  kubernetesApiVersion,
  kubernetesGroup,
  neutralApiVersion,
  neutralGroup,
} from '../api/naming.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import type { VersionDefinition } from '../resources/definition.ts';
import { encodeServed } from '../storage/stored-bytes.ts';
import type { ServedResource } from './served-resource.ts';

/*
 * Some groups are served under Kubernetes' name, too (`isSecondName` of
 * api/naming.ts): one stored object, two names. Everything but the ends of the
 * pipeline knows the first name only, so that no check can be passed by under
 * the second: bodies lose it as soon as they are read, answers get it last, and
 * a patch works on what its client has seen, with the names of before and after.
 */

const known = new WeakMap<VersionDefinition, ServedResource>();

/** The resource as answers under the second name show it. */
export function underSecondName(resource: ServedResource): ServedResource {
  let named = known.get(resource.version);
  if (named === undefined) {
    named = {
      ...resource,
      apiVersion: kubernetesApiVersion(resource.apiVersion),
      kind: { ...resource.kind, group: kubernetesGroup(resource.kind.group) },
      // A version of its own: what is kept by version (frames of watches) is not shared.
      version: { ...resource.version },
    };
    known.set(resource.version, named);
  }
  return named;
}

/** Finished bytes in the name that `resource` shows. */
export function inNameOf({ kind, definition }: ServedResource, bytes: Buffer): Buffer {
  if (kind.group === definition.group) return bytes;
  const object = parseStoredJson(bytes);
  return encodeServed(apiObjectOf(withSecondNames(object)));
}

/** The object by its second names, as its clients know it; changed in place. */
export function withSecondNames(object: JsonObject): JsonObject {
  return renamed(object, { version: kubernetesApiVersion, group: kubernetesGroup });
}

/** A body that was sent under the second name; changed in place. */
export function withFirstNames(body: JsonValue): JsonValue {
  if (!isObject(body)) return body;
  return renamed(body, { version: neutralApiVersion, group: neutralGroup });
}

interface Names {
  readonly version: (apiVersion: string) => string;
  readonly group: (group: string) => string;
}

/** Everywhere an object tells its own group: what else it says is the kind's business. */
function renamed(object: JsonObject, names: Names): JsonObject {
  const { roleRef, subjects, metadata } = object;
  rename(object, 'apiVersion', names.version);
  rename(roleRef, 'apiGroup', names.group);
  for (const subject of listOf(subjects)) rename(subject, 'apiGroup', names.group);
  const managers = isObject(metadata) ? metadata.managedFields : undefined;
  for (const manager of listOf(managers)) rename(manager, 'apiVersion', names.version);
  return object;
}

function rename(object: JsonValue | undefined, key: string, to: (name: string) => string): void {
  if (object === undefined || !isObject(object)) return;
  const name = getOwn(object, key);
  if (typeof name === 'string') object[key] = to(name);
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
