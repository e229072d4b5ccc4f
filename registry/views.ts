import { apiVersionOf } from '../api/group-version.ts';
import { deepClone, type JsonObject } from '../api/json.ts';
import type { ResourceDefinition, VersionDefinition } from '../resources/definition.ts';
import { encodeServed } from '../storage/stored-bytes.ts';
import type { Entry } from '../watch/entry.ts';
import type { Converter } from './conversion.ts';
import type { ServedResource } from './served-resource.ts';
import { storageReadError } from './store-errors.ts';

/**
 * Shows stored objects as a version of their resource: nearly always the stored
 * bytes themselves. Only where the version differs from the stored one, or the
 * schema has changed since (pruning and defaulting on read), a form of its own
 * is made, once per object.
 */
export class Views {
  readonly #converter: Converter;
  readonly #current: (resource: ServedResource) => ServedResource;

  /**
   * `current` tells what a resource has become since a request began: streams and
   * long lists show objects by the schema of the moment.
   */
  constructor(
    converter: Converter,
    current: (resource: ServedResource) => ServedResource = (resource) => resource,
  ) {
    this.#converter = converter;
    this.#current = current;
  }

  /**
   * The object's bytes in this version.
   *
   * @throws ApiError (also as rejection) when it cannot be read or converted
   */
  bytes(asked: ServedResource, entry: Entry): Buffer | Promise<Buffer> {
    if (entry.corrupt) throw storageReadError(asked.prefix + entry.key);
    if (asked.definition.builtin) return entry.bytes;
    const resource = this.#current(asked);
    const { version } = resource;
    if (entry.shownFor === version && entry.shownAs !== undefined) return entry.shownAs;
    const object = entry.object();
    const isChanged = refreshStored(resource.definition, object);
    if (object.apiVersion === resource.apiVersion) {
      return remember(version, entry, isChanged ? encodeServed(object) : entry.bytes);
    }
    const converted = this.#convert(resource, object);
    return converted instanceof Promise
      ? converted.then((result) => remember(version, entry, encodeServed(result)))
      : remember(version, entry, encodeServed(converted));
  }

  /** The object, parsed, in this version; it belongs to the caller. */
  async object(resource: ServedResource, entry: Entry): Promise<JsonObject> {
    if (entry.corrupt) throw storageReadError(resource.prefix + entry.key);
    const object = entry.object();
    if (resource.definition.builtin) return object;
    refreshStored(resource.definition, object);
    return object.apiVersion === resource.apiVersion ? object : this.#convert(resource, object);
  }

  /** An object of this version as it is to be stored. */
  async forStorage(resource: ServedResource, object: JsonObject): Promise<JsonObject> {
    const { definition } = resource;
    if (definition.storageVersion === resource.version.name) return object;
    const apiVersion = apiVersionOf({
      group: definition.group,
      version: definition.storageVersion,
    });
    const copies = [deepClone(object)];
    const [converted] = await this.#converter.convert(definition, copies, apiVersion);
    if (converted === undefined) throw new Error('a conversion lost its object');
    const storage = definition.versions.find(({ name }) => name === definition.storageVersion);
    storage?.codec.trimConverted?.(converted);
    return converted;
  }

  /** What would be answered if the object were stored: it goes through the version that is stored. */
  async preview(resource: ServedResource, object: JsonObject): Promise<JsonObject> {
    const { definition, version } = resource;
    if (definition.storageVersion === version.name) return object;
    const stored = await this.forStorage(resource, object);
    refreshStored(definition, stored);
    return this.#convert(resource, stored);
  }

  #convert(resource: ServedResource, object: JsonObject): JsonObject | Promise<JsonObject> {
    const { definition, apiVersion, version } = resource;
    const result = this.#converter.convert(definition, [object], apiVersion);
    const first = ([converted]: JsonObject[]): JsonObject => {
      if (converted === undefined) throw new Error('a conversion lost its object');
      version.codec.trimConverted?.(converted);
      return converted;
    };
    return result instanceof Promise ? result.then(first) : first(result);
  }
}

function remember(version: VersionDefinition, entry: Entry, bytes: Buffer): Buffer {
  entry.shownFor = version;
  entry.shownAs = bytes;
  return bytes;
}

/**
 * Prunes and defaults an object as it was stored by today's schema of the
 * version that it is stored in; in place. True when that has changed it.
 * Objects of versions that the definition no longer has stay as they are.
 */
export function refreshStored(definition: ResourceDefinition, object: JsonObject): boolean {
  const { group } = definition;
  const stored = definition.versions.find(
    ({ name }) => apiVersionOf({ group, version: name }) === object.apiVersion,
  );
  if (stored === undefined || !stored.codec.needsRefresh(object)) return false;
  stored.codec.refresh(object);
  return true;
}
