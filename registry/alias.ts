import { getOwn, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import {
  aliasApiVersion,
  aliasGroup,
  isAlias,
  neutralApiVersion,
  neutralGroup,
} from '../api/naming.ts';
import { apiObjectOf } from '../api/object.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import type { GroupNames, ResourceDefinition, VersionDefinition } from '../resources/definition.ts';
import { encodeServed } from '../storage/stored-bytes.ts';
import { withAliasSpliced } from './alias-splice.ts';
import type { ServedResource } from './served-resource.ts';

/*
 * The server's own groups are served under Kubernetes' names, too: one stored
 * object, two names. Everything but the ends of the pipeline knows the neutral
 * name only, so that no check can be passed by under the alias: bodies lose it
 * as soon as they are read, answers get it last, and a patch works on what its
 * client has seen.
 */

const known = new WeakMap<VersionDefinition, ServedResource>();

/** The resource as answers under the alias show it. */
export function underAlias(resource: ServedResource): ServedResource {
  let named = known.get(resource.version);
  if (named === undefined) {
    const group = aliasGroup(resource.kind.group);
    named = {
      ...resource,
      apiVersion: aliasApiVersion(resource.apiVersion),
      kind: { ...resource.kind, group },
      resource: { ...resource.resource, group },
      groupResource: { ...resource.groupResource, group },
      // A version of its own: what is kept by version (frames of watches) is not shared.
      version: { ...resource.version },
    };
    known.set(resource.version, named);
  }
  return named;
}

/**
 * Is the resource served under the alias of its group, or under its neutral name?
 * What is built in is served under both, or under the alias alone; what a
 * definition adds under the name that the definition says.
 */
export function hasName(
  { definition: { aliasOnly, builtin, custom } }: ServedResource,
  alias: boolean,
): boolean {
  if (aliasOnly === true) return alias;
  return builtin || isAlias(custom?.group ?? '') === alias;
}

/** Is this a resource as {@link underAlias} makes it? */
export function isUnderAlias({ kind, definition }: ServedResource): boolean {
  // a Scale has another group than its owner, and no alias
  return kind.group !== definition.group && neutralGroup(kind.group) === definition.group;
}

/** Finished bytes in the name that `resource` shows. */
export function inNameOf(resource: ServedResource, bytes: Buffer): Buffer {
  if (!isUnderAlias(resource)) return bytes;
  const { definition } = resource;
  if (hasOwnNameOnly(definition)) return withAliasSpliced(bytes, definition.group);
  return encodeServed(apiObjectOf(toAlias(definition, parseStoredJson(bytes))));
}

/** Is its type all that a stored object says of groups? */
function hasOwnNameOnly({ renamed, verbs }: ResourceDefinition): boolean {
  return renamed === undefined && verbs.includes('get');
}

/** The object by its alias, as its clients know it; the one given may be changed. */
export function toAlias(definition: ResourceDefinition, object: JsonObject): JsonObject {
  return renamed(definition, object, ALIASES);
}

/** A body that was sent under the alias; the one given may be changed. */
export function fromAlias(definition: ResourceDefinition, body: JsonObject): JsonObject {
  return renamed(definition, body, NEUTRALS);
}

const ALIASES: GroupNames = {
  dialect: 'kubernetes',
  version: aliasApiVersion,
  group: aliasGroup,
};
const NEUTRALS: GroupNames = {
  dialect: 'neutral',
  version: neutralApiVersion,
  group: neutralGroup,
};

/** Owner references stay as they were written: both names mean the same owner. */
function renamed(
  definition: ResourceDefinition,
  object: JsonObject,
  names: GroupNames,
): JsonObject {
  const { metadata } = object;
  renameField(object, 'apiVersion', names.version);
  const managers = isObject(metadata) ? metadata.managedFields : undefined;
  if (Array.isArray(managers)) {
    for (const manager of managers) renameField(manager, 'apiVersion', names.version);
  }
  return definition.renamed?.(object, names) ?? object;
}

function renameField(object: JsonValue, key: string, to: (name: string) => string): void {
  if (!isObject(object)) return;
  const name = getOwn(object, key);
  if (typeof name === 'string') object[key] = to(name);
}
