import { apiVersionOf } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
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

  constructor(converter: Converter) {
    this.#converter = converter;
  }

  /**
   * The object's bytes in this version.
   *
   * @throws ApiError (also as rejection) when it cannot be read or converted
   */
  bytes(resource: ServedResource, entry: Entry): Buffer | Promise<Buffer> {
    if (entry.corrupt) throw storageReadError(resource.prefix + entry.key);
    if (resource.definition.builtin) return entry.bytes;
    const { version } = resource;
    if (entry.shownFor === version && entry.shownAs !== undefined) return entry.shownAs;
    const object = entry.object();
    if (object.apiVersion === resource.apiVersion) return this.#remember(resource, entry, object);
    const converted = this.#convert(resource, object);
    return converted instanceof Promise
      ? converted.then((result) => this.#remember(resource, entry, result, true))
      : this.#remember(resource, entry, converted, true);
  }

  /** The object, parsed, in this version; it belongs to the caller. */
  async object(resource: ServedResource, entry: Entry): Promise<JsonObject> {
    if (entry.corrupt) throw storageReadError(resource.prefix + entry.key);
    let object = entry.object();
    if (resource.definition.builtin) return object;
    if (object.apiVersion !== resource.apiVersion) object = await this.#convert(resource, object);
    const { codec } = resource.version;
    if (codec.needsRefresh(object)) codec.refresh(object);
    return object;
  }

  /** An object of this version as it is to be stored. */
  async forStorage(resource: ServedResource, object: JsonObject): Promise<JsonObject> {
    const { definition } = resource;
    if (definition.storageVersion === resource.version.name) return object;
    const apiVersion = apiVersionOf({
      group: definition.group,
      version: definition.storageVersion,
    });
    const [converted] = await this.#converter.convert(definition, [{ ...object }], apiVersion);
    if (converted === undefined) throw new Error('a conversion lost its object');
    return converted;
  }

  #convert(resource: ServedResource, object: JsonObject): JsonObject | Promise<JsonObject> {
    const { definition, apiVersion } = resource;
    const result = this.#converter.convert(definition, [object], apiVersion);
    const first = ([converted]: JsonObject[]): JsonObject => {
      if (converted === undefined) throw new Error('a conversion lost its object');
      return converted;
    };
    return result instanceof Promise ? result.then(first) : first(result);
  }

  #remember(
    { version }: ServedResource,
    entry: Entry,
    object: JsonObject,
    converted = false,
  ): Buffer {
    const { codec } = version;
    const refresh = codec.needsRefresh(object);
    if (refresh) codec.refresh(object);
    const bytes = refresh || converted ? encodeServed(object) : entry.bytes;
    entry.shownFor = version;
    entry.shownAs = bytes;
    return bytes;
  }
}
