import { andThen } from '../api/and-then.ts';
import type { ApiError } from '../api/api-error.ts';
import { apiVersionOf } from '../api/group-version.ts';
import { deepClone } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { inTurns } from '../api/steps.ts';
import { nextTurn } from '../api/turn.ts';
import type { ResourceDefinition, VersionDefinition } from '../resources/definition.ts';
import type { DefaultsTooLarge } from '../schema/default-budget.ts';
import { encodeServed } from '../storage/stored-bytes.ts';
import type { Entry } from '../watch/entry.ts';
import type { Converter } from './conversion.ts';
import { ConvertedForms, hasWebhook, needsWebhook } from './converted-forms.ts';
import { inNameOf, isUnderAlias } from './alias.ts';
import type { SelectableFields } from './field-selection.ts';
import { LARGE_BYTES } from './large-objects.ts';
import { versionOf, type ServedResource } from './served-resource.ts';
import { defaultsReadError, storageReadError } from './read-errors.ts';
import { aliasBytes, appliedBytes, formBytes, remember } from './shown-bytes.ts';
import { storedForm, type StoredForm } from './stored-form.ts';

/**
 * Shows stored objects as a version of their resource: nearly always the stored
 * bytes themselves. Only where the version differs from the stored one, or the
 * schema has changed since (pruning and defaulting on read), a form of its own
 * is made, once per object.
 */
export class Views {
  /** What field selectors may name. */
  readonly selectable: SelectableFields;
  readonly #converter: Converter;
  readonly #current: (resource: ServedResource) => ServedResource;
  readonly #forms = new ConvertedForms((resource, entries) => this.#convertAll(resource, entries));
  /** Objects whose defaults would add too much, and the version for which that was found. */
  readonly #tooLarge = new WeakMap<Entry, TooLarge>();

  /**
   * `current` tells what a resource has become since a request began: streams and
   * long lists show objects by the schema of the moment.
   */
  constructor(
    converter: Converter,
    current: (resource: ServedResource) => ServedResource = (resource) => resource,
    selectable: SelectableFields = 'any',
  ) {
    this.selectable = selectable;
    this.#converter = converter;
    this.#current = current;
  }

  /** What a resource has become since a request began. */
  current(asked: ServedResource): ServedResource {
    return this.#current(asked);
  }

  /**
   * The object's bytes in this version; without defaults when they would add too
   * much ({@link refusal}).
   *
   * @throws ApiError (also as rejection) when it cannot be read or converted
   */
  bytes(asked: ServedResource, entry: Entry): Buffer | Promise<Buffer> {
    if (entry.corrupt) throw storageReadError(asked.prefix + entry.key);
    if (asked.definition.formOf !== undefined) return formBytes(asked, entry);
    if (asked.definition.builtin) {
      return isUnderAlias(asked) ? aliasBytes(asked, entry) : appliedBytes(asked, entry);
    }
    const resource = this.#current(asked);
    if (isUnderAlias(asked)) return this.#aliasBytes(asked, resource, entry);
    if (needsWebhook(resource, entry)) return bytesOf(this.#forms.get(resource, entry));
    const { version } = resource;
    if (entry.shownFor === version && entry.shownAs !== undefined) return entry.shownAs;
    return this.#bytesOfForm(resource, entry, this.#stored(resource, entry));
  }

  /** {@link bytes}; those of a large object are made in turns. */
  async bytesInTurns(asked: ServedResource, entry: Entry): Promise<Buffer> {
    const { definition } = asked;
    const isOwn = !definition.builtin && !isUnderAlias(asked) && !hasWebhook(asked);
    if (isOwn && !entry.corrupt && isLong(entry)) {
      const resource = this.#current(asked);
      if (entry.shownFor !== resource.version || entry.shownAs === undefined) {
        return this.#bytesOfForm(resource, entry, await this.#storedInTurns(resource, entry));
      }
    }
    return this.bytes(asked, entry);
  }

  /** Of a custom resource; where its definition has just gone, what is stored. */
  #aliasBytes(asked: ServedResource, own: ServedResource, entry: Entry): Buffer | Promise<Buffer> {
    const bytes = own === asked ? entry.bytes : this.bytes(own, entry);
    return andThen(bytes, (made) => inNameOf(asked, made));
  }

  /**
   * {@link bytesInTurns} of an object that has just been stored as `form`: nearly
   * always what was stored, which need not be read for it.
   */
  written(asked: ServedResource, entry: Entry, form: ApiObject): Buffer | Promise<Buffer> {
    const { definition, version, apiVersion } = this.#current(asked);
    const isShownAsStored =
      !definition.builtin &&
      definition.storageVersion === version.name &&
      form.apiVersion === apiVersion &&
      !version.codec.needsRefresh(form);
    if (isShownAsStored) return entry.bytes;
    return isLong(entry) ? this.bytesInTurns(asked, entry) : this.bytes(asked, entry);
  }

  #bytesOfForm(
    resource: ServedResource,
    entry: Entry,
    { object, isChanged }: StoredForm,
  ): Buffer | Promise<Buffer> {
    const { version } = resource;
    if (object.apiVersion === resource.apiVersion) {
      return remember(version, entry, isChanged ? encodeServed(object) : entry.bytes);
    }
    const converted = this.#convert(resource, object);
    return andThen(converted, (result) => remember(version, entry, encodeServed(result)));
  }

  /**
   * The object's bytes where nothing but its metadata is looked at: what is stored,
   * unless a webhook may change metadata.
   *
   * @throws ApiError (also as rejection) as {@link bytes}
   */
  metadataBytes(asked: ServedResource, entry: Entry): Buffer | Promise<Buffer> {
    const isOther = isUnderAlias(asked) || asked.definition.formOf !== undefined;
    if (entry.corrupt || hasWebhook(asked) || isOther) return this.bytes(asked, entry);
    return entry.bytes;
  }

  /** Why an object, whose form has just been made, cannot be shown with its defaults. */
  refusal(asked: ServedResource, entry: Entry): ApiError | undefined {
    const found = this.#tooLarge.get(entry);
    if (found === undefined || found.version !== this.#current(asked).version) return undefined;
    return defaultsReadError(asked.prefix + entry.key, found.error);
  }

  /**
   * {@link bytes} for a read that must not be older than itself: a webhook that
   * has changed its mind is asked again.
   */
  newestBytes(asked: ServedResource, entry: Entry): Buffer | Promise<Buffer> {
    if (!entry.corrupt) {
      const resource = this.#current(asked);
      if (needsWebhook(resource, entry)) return bytesOf(this.#forms.renew(resource, entry));
    }
    return this.bytes(asked, entry);
  }

  /**
   * Has what {@link bytes} and {@link shown} need made, many objects at a time;
   * undefined when it is there.
   *
   * @throws ApiError (as rejection) when one of them cannot be converted
   */
  prepare(asked: ServedResource, entries: readonly Entry[]): Promise<void> | undefined {
    if (!hasWebhook(asked)) return undefined;
    const resource = this.#current(asked);
    const concerned = entries.filter((entry) => !entry.corrupt && needsWebhook(resource, entry));
    return concerned.length === 0 ? undefined : this.#forms.prepare(resource, concerned);
  }

  /**
   * What selectors are matched with: the object in this version, where a webhook
   * makes it and it has been prepared; the stored object otherwise.
   */
  shown(asked: ServedResource, entry: Entry): Entry {
    if (!hasWebhook(asked) || entry.corrupt) return entry;
    const resource = this.#current(asked);
    return needsWebhook(resource, entry) ? (this.#forms.ready(resource, entry) ?? entry) : entry;
  }

  /**
   * The object, parsed, in this version; it belongs to the caller. Without defaults
   * when they would add too much, so that it can be changed and deleted.
   */
  object(resource: ServedResource, entry: Entry): ApiObject | Promise<ApiObject> {
    if (entry.corrupt) throw storageReadError(resource.prefix + entry.key);
    const { builtin, formOf } = resource.definition;
    if (builtin && formOf === undefined && !isLong(entry)) return entry.object();
    return this.#object(resource, entry);
  }

  async #object(resource: ServedResource, entry: Entry): Promise<ApiObject> {
    const { builtin, formOf } = resource.definition;
    if (builtin || formOf !== undefined) {
      const stored = isLong(entry) ? await inTurns(entry.objectSteps()) : entry.object();
      return formOf === undefined ? stored : formOf.fromStored(stored);
    }
    const { object } = isLong(entry)
      ? await this.#storedInTurns(resource, entry)
      : this.#stored(resource, entry);
    return object.apiVersion === resource.apiVersion ? object : this.#convert(resource, object);
  }

  /** An object of this version as it is to be stored; a promise only where a webhook converts it. */
  forStorage(resource: ServedResource, object: ApiObject): ApiObject | Promise<ApiObject> {
    const { definition } = resource;
    const { group, storageVersion: version, formOf } = definition;
    if (formOf !== undefined) return formOf.toStored(object);
    if (version === resource.version.name) return object;
    const apiVersion = apiVersionOf({ group, version });
    return this.convert(definition, deepClone(object), apiVersion);
  }

  /**
   * An object in another version of its resource, without what that version does
   * not know. The object may be changed and is the caller's no more.
   */
  async convert(
    definition: ResourceDefinition,
    object: ApiObject,
    apiVersion: string,
  ): Promise<ApiObject> {
    const [converted] = await this.#converter.convert(definition, [object], apiVersion);
    if (converted === undefined) throw new Error('the conversion webhook returned no object');
    versionOf(definition, apiVersion)?.codec.trimConverted?.(converted);
    return converted;
  }

  /** What would be answered if the object were stored: it goes through the version that is stored. */
  async preview(resource: ServedResource, object: ApiObject): Promise<ApiObject> {
    const { definition, version } = resource;
    if (definition.builtin) return version.codec.withAppliedNames?.(object) ?? object;
    if (definition.storageVersion === version.name) {
      return storedForm(definition, deepClone(object)).object;
    }
    const stored = await this.forStorage(resource, object);
    const { object: shown } = storedForm(definition, deepClone(stored));
    return this.#convert(resource, shown);
  }

  async #convertAll(resource: ServedResource, entries: readonly Entry[]): Promise<ApiObject[]> {
    const { definition, apiVersion, version } = resource;
    const objects: ApiObject[] = [];
    let bytes = 0;
    for (const entry of entries) {
      bytes += entry.bytes.length;
      if (bytes > LARGE_BYTES && objects.length > 0) {
        bytes = 0;
        await nextTurn();
      }
      objects.push(this.#stored(resource, entry).object);
    }
    const converted = await this.#converter.convert(definition, objects, apiVersion);
    for (const object of converted) {
      version.codec.trimConverted?.(object);
      // A webhook decides how large they are.
      if (converted.length > 1) await nextTurn();
    }
    return converted;
  }

  #stored(resource: ServedResource, entry: Entry): StoredForm {
    return this.#noted(resource, entry, storedForm(resource.definition, entry.object()));
  }

  async #storedInTurns(resource: ServedResource, entry: Entry): Promise<StoredForm> {
    const object = await inTurns(entry.objectSteps());
    await nextTurn();
    return this.#noted(resource, entry, storedForm(resource.definition, object));
  }

  #noted({ version }: ServedResource, entry: Entry, form: StoredForm): StoredForm {
    if (form.tooLarge !== undefined) this.#tooLarge.set(entry, { version, error: form.tooLarge });
    return form;
  }

  #convert(resource: ServedResource, object: ApiObject): ApiObject | Promise<ApiObject> {
    const { definition, apiVersion, version } = resource;
    const result = this.#converter.convert(definition, [object], apiVersion);
    const first = ([converted]: ApiObject[]): ApiObject => {
      if (converted === undefined) throw new Error('the conversion webhook returned no object');
      version.codec.trimConverted?.(converted);
      return converted;
    };
    return andThen(result, first);
  }
}

/** Reading it takes milliseconds. */
function isLong({ bytes }: Entry): boolean {
  return bytes.length > LARGE_BYTES;
}

function bytesOf(form: Entry | Promise<Entry>): Buffer | Promise<Buffer> {
  return andThen(form, ({ bytes }) => bytes);
}

interface TooLarge {
  readonly version: VersionDefinition;
  readonly error: DefaultsTooLarge;
}
