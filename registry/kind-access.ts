import type { KindAccess, ResourceVersion } from '../admission/kind-access.ts';
import { ApiError, apiError, internalError, invalid } from '../api/api-error.ts';
import { fieldError } from '../api/field-error.ts';
import { apiVersionOf, type GroupVersionKind } from '../api/group-version.ts';
import { getPath, type JsonObject, type JsonValue } from '../api/json.ts';
import { isAlias, neutralApiVersion, neutralGroup } from '../api/naming.ts';
import { apiObjectOf, type ApiObject } from '../api/object.ts';
import { stringifyJson } from '../api/json-write.ts';
import type { MergeSchema } from '../patch/merge-schema.ts';
import type { ResourceDefinition, VersionDefinition } from '../resources/definition.ts';
import { fromAlias, toAlias } from './alias.ts';
import { complete } from './complete.ts';
import type { Catalog } from './catalog.ts';
import type { RegistryParts } from './parts.ts';
import { copyOf, decode, isLarge } from './large-objects.ts';
import { versionOf, type ServedResource } from './served-resource.ts';

/** One per version of a definition and subresource: admission keeps things by them. */
const known = new WeakMap<object, WeakMap<VersionDefinition, Map<string, KindAccess>>>();

/**
 * What admission may ask about the kind of a request. For a scale `resource` is
 * the resource as its scale shows it: a Scale in kind, itself in place.
 */
export function kindAccess(
  parts: RegistryParts,
  resource: ServedResource,
  subresource: string,
): KindAccess {
  const { group, version, resource: plural } = resource.resource;
  const isItself = resource.groupResource.group === resource.definition.group;
  const parent = isItself ? resource : (parts.catalog.find(group, version, plural) ?? resource);
  const byVersion =
    known.get(parts.views) ?? new WeakMap<VersionDefinition, Map<string, KindAccess>>();
  known.set(parts.views, byVersion);
  const bySubresource = byVersion.get(parent.version) ?? new Map<string, KindAccess>();
  byVersion.set(parent.version, bySubresource);
  let access = bySubresource.get(subresource);
  if (access === undefined) {
    access = new DefinitionAccess(parts, parent, resource, subresource);
    bySubresource.set(subresource, access);
  }
  return access;
}

class DefinitionAccess implements KindAccess {
  readonly equivalents: readonly ResourceVersion[];
  readonly #views: RegistryParts['views'];
  readonly #fields: RegistryParts['fields'];
  /** What the objects of the request are. */
  readonly #definition: ResourceDefinition;
  /** The other form of the same stored objects (Event). */
  readonly #otherForm: ResourceDefinition | undefined;
  /** The resource is a custom one, also where the request is about its scale. */
  readonly #isCustom: boolean;

  constructor(
    { views, fields, catalog }: RegistryParts,
    parent: ServedResource,
    { definition, kind }: ServedResource,
    subresource: string,
  ) {
    this.#views = views;
    this.#fields = fields;
    this.#definition = definition;
    this.#isCustom = !parent.definition.builtin;
    this.#otherForm = otherFormOf(catalog, definition);
    const versions = equivalentsOf(parent, subresource).map((resource) => ({
      resource,
      // a Scale is the same kind in every version of what it is the scale of
      kind: parent.definition === definition ? { ...kind, version: resource.version } : kind,
    }));
    this.equivalents = [...versions, ...formsOf(this.#otherForm, subresource)];
  }

  async convert(given: ApiObject, { group, version }: GroupVersionKind): Promise<ApiObject> {
    const apiVersion = apiVersionOf({ group: neutralGroup(group), version });
    const definition = this.#formOf(apiVersion);
    const before = this.#formOf(given.apiVersion);
    let object = neutralObject(before, await copyOf(isLarge(given), given));
    if (definition !== before) object = inOtherForm(object, before, definition);
    const converted =
      object.apiVersion === apiVersion
        ? object
        : await this.#views.convert(definition, object, apiVersion);
    return isAlias(group) ? apiObjectOf(toAlias(definition, converted)) : converted;
  }

  /** The definition whose version this is: that of the request, unless the other form has it. */
  #formOf(apiVersion: JsonValue | undefined): ResourceDefinition {
    const other = this.#otherForm;
    if (other === undefined || typeof apiVersion !== 'string') return this.#definition;
    return versionOf(other, neutralApiVersion(apiVersion)) === undefined ? this.#definition : other;
  }

  async normalise(object: JsonObject, before: ApiObject | undefined): Promise<ApiObject> {
    const neutral = before === undefined ? '' : neutralApiVersion(before.apiVersion);
    if (before === undefined || before.apiVersion === neutral) {
      return this.#normalised(object, before);
    }
    const definition = this.#formOf(neutral);
    const sent = neutralObject(definition, await copyOf(isLarge(object), object));
    const normalised = await this.#normalised(sent, { ...before, apiVersion: neutral });
    return apiObjectOf(toAlias(definition, normalised));
  }

  async #normalised(object: JsonObject, before: ApiObject | undefined): Promise<ApiObject> {
    const definition = this.#formOf(before?.apiVersion);
    const { kind } = definition.names;
    if (this.#isCustom && object.apiVersion === before?.apiVersion && object.kind !== kind) {
      throw this.#otherKind(object);
    }
    const codec = versionOf(definition, object.apiVersion)?.codec;
    if (codec === undefined || object.apiVersion !== before?.apiVersion || object.kind !== kind) {
      const type = stringifyJson([object.apiVersion ?? '', object.kind ?? '']);
      throw this.#unusable(`must not change the apiVersion and kind of the object, got ${type}`);
    }
    let decoded: ApiObject;
    try {
      const context = { reportUnknown: false, dropInvalidMetadata: true };
      decoded = (await decode(isLarge(object), codec, object, context)).object;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw this.#unusable(error.message, error);
    }
    await complete(codec, decoded, { live: before, keepNulls: true });
    return decoded;
  }

  mergeSchema(apiVersion: string): MergeSchema | undefined {
    const version = versionOf(this.#formOf(apiVersion), neutralApiVersion(apiVersion));
    return version && this.#fields.schemaOf(version);
  }

  /** As the check of custom resources says it. */
  #otherKind(object: JsonObject): ApiError {
    const { group, names } = this.#definition;
    const kind = typeof object.kind === 'string' ? object.kind : '';
    const name = getPath(object, 'metadata', 'name');
    const why =
      kind === ''
        ? fieldError.required('kind', '')
        : fieldError.invalid('kind', kind, `must be ${names.kind}`);
    return invalid({ group, kind }, typeof name === 'string' ? name : '', [why]);
  }

  /** Failures on custom resources have never had a reason: so it is recorded. */
  #unusable(message: string, cause?: unknown): ApiError {
    return this.#isCustom
      ? apiError(500, '', message, undefined, cause)
      : internalError(message, cause);
  }
}

/** By its neutral name; the one given may be changed. */
function neutralObject<T extends JsonObject>(definition: ResourceDefinition, object: T): T {
  const { apiVersion } = object;
  if (typeof apiVersion !== 'string' || neutralApiVersion(apiVersion) === apiVersion) return object;
  return fromAlias(definition, object) as T;
}

/** What is stored as the same objects under another name and with other fields, if there is any. */
function otherFormOf(
  catalog: Catalog,
  { group, names, formOf }: ResourceDefinition,
): ResourceDefinition | undefined {
  if (formOf !== undefined) {
    return catalog.findStored(formOf.resource.group, formOf.resource.resource)?.definition;
  }
  return catalog.definitions().find(({ formOf: other }) => {
    return other?.resource.group === group && other.resource.resource === names.plural;
  });
}

/** Every version of the other form, for a request to the object itself. */
function formsOf(
  definition: ResourceDefinition | undefined,
  subresource: string,
): ResourceVersion[] {
  if (definition === undefined || subresource !== '') return [];
  const { group, names, versions } = definition;
  return versions.map(({ name: version }) => ({
    resource: { group, version, resource: names.plural },
    kind: { group, version, kind: names.kind },
  }));
}

/** One of the two is the form in which the object is stored. */
function inOtherForm(
  object: ApiObject,
  { formOf }: ResourceDefinition,
  to: ResourceDefinition,
): ApiObject {
  const changed = formOf?.toStored(object) ?? to.formOf?.fromStored(object) ?? object;
  const codec = versionOf(to, changed.apiVersion)?.codec;
  if (codec === undefined) throw new Error('a form without its version');
  return codec.decode(changed, { reportUnknown: false, dropInvalidMetadata: true }).object;
}

/** The resource in its other versions, where they have the subresource too. */
function equivalentsOf(
  { definition, resource, version }: ServedResource,
  subresource: string,
): ResourceVersion['resource'][] {
  return definition.versions
    .filter((other) => other.name !== version.name)
    .filter(({ subresources }) => subresource === '' || subresource in subresources)
    .map(({ name }) => ({ ...resource, version: name }));
}
