import { apiVersionOf } from '../api/group-version.ts';
import { equalSteps } from '../api/json-steps.ts';
import { isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { neutralApiVersion } from '../api/naming.ts';
import { type ApiObject, apiObjectOf, type ManagedFieldsEntry } from '../api/object.ts';
import { withConversions } from '../patch/apply/conversion.ts';
import type { FieldSet } from '../patch/apply/field-set.ts';
import { entriesOf, isReset } from '../patch/apply/managers.ts';
import { withoutEntries } from '../patch/apply/never-owned.ts';
import { resetFieldsIn } from '../patch/apply/reset-fields.ts';
import { inTurns } from '../api/steps.ts';
import { plainManagers } from '../patch/apply/plain-managers.ts';
import { updateSteps } from '../patch/apply/update-managers.ts';
import { updateManagers } from '../patch/apply/update-managers-at-once.ts';
import type { Conversion, ManagedKind } from '../patch/apply/versions.ts';
import { mergeSchemaOf } from '../patch/merge-schema-of.ts';
import type { MergeSchema } from '../patch/merge-schema.ts';
import type { ResourceDefinition, VersionDefinition } from '../resources/definition.ts';
import { ApiError } from '../api/api-error.ts';
import type { Converter } from './conversion.ts';
import { copyOf } from './large-objects.ts';
import { versionOf, type ServedResource } from './served-resource.ts';

interface TrackedWrite {
  readonly resource: ServedResource;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Undefined on create. */
  readonly live: ApiObject | undefined;
  readonly manager: string;
  /** One of the objects is so large that the work is cut into steps. */
  readonly large: boolean;
  /** Wall clock, milliseconds. */
  readonly now: number;
}

/**
 * Keeps metadata.managedFields: who set which field. Called once the object of
 * a create, update or patch is known and before admission changes it.
 */
export class FieldTracker {
  readonly #converter: Converter;
  readonly #schemas = new WeakMap<VersionDefinition, MergeSchema>();
  readonly #empty = new WeakMap<VersionDefinition, ApiObject>();
  readonly #kinds = new WeakMap<ServedResource, Map<string, ManagedKind>>();

  constructor(converter: Converter) {
    this.#converter = converter;
  }

  /** Sets `object.metadata.managedFields` as the write leaves them; a promise only where that takes long. */
  onWrite(object: ApiObject, write: TrackedWrite): Promise<void> | undefined {
    const { resource, subresource, live, manager, now, large } = write;
    const carriesManagers = resource.definition.builtin;
    if (carriesManagers) nameNeutrally(object.metadata.managedFields);
    const kind = this.#kind(resource, subresource);
    const plain = { kind, live, next: object, manager, now, carriesManagers };
    const entries = large ? undefined : plainManagers(plain);
    if (entries === undefined) {
      return this.withKind(resource, subresource, (converting) => {
        const general = { ...plain, kind: converting };
        return large ? inTurns(updateSteps(general)) : updateManagers(general);
      })
        .then((made) => (made.length > 0 ? made : this.#leftAlone(object, write)))
        .then((made) => setEntries(object, made));
    }
    setEntries(object, entries);
    return undefined;
  }

  /**
   * The present entries where they would be lost by a write that leaves what is
   * stored as it is: the stored version lacks all that the version of the request
   * adds, such as a default.
   */
  async #leftAlone(next: ApiObject, write: TrackedWrite): Promise<ManagedFieldsEntry[]> {
    const { resource, live, large } = write;
    const { definition, version } = resource;
    const entries = live?.metadata.managedFields ?? [];
    const isStoredSo = version.name === definition.storageVersion;
    if (live === undefined || entries.length === 0 || isStoredSo || isReset(entriesOf(next))) {
      return [];
    }
    const before = await this.#asStored(resource, withoutEntries(live), large);
    const after = await this.#asStored(resource, withoutEntries(next), large);
    if (before === undefined || after === undefined) return [];
    return (await inTurns(equalSteps(before, after))) ? entries : [];
  }

  /** Undefined where the conversion fails. */
  async #asStored(
    resource: ServedResource,
    object: JsonObject,
    large: boolean,
  ): Promise<JsonObject | undefined> {
    const { definition } = resource;
    const version = definition.storageVersion;
    const apiVersion = apiVersionOf({ group: definition.group, version });
    const made = await this.#convert(resource, await copyOf(large, object), apiVersion);
    if (made.kind !== 'converted') return undefined;
    versionOf(definition, apiVersion)?.codec.trimConverted?.(apiObjectOf(made.object));
    return made.object;
  }

  /** Does work that needs to know the kind, its versions and conversions between them. */
  withKind<T>(
    resource: ServedResource,
    subresource: string,
    work: (kind: ManagedKind) => T | Promise<T>,
  ): Promise<T> {
    return withConversions(
      (object, apiVersion) => this.#convert(resource, object, apiVersion),
      (convert) => work({ ...this.#kind(resource, subresource), convert }),
    );
  }

  schemaOf(version: VersionDefinition): MergeSchema {
    let schema = this.#schemas.get(version);
    if (schema === undefined) {
      schema = mergeSchemaOf(version.schema());
      this.#schemas.set(version, schema);
    }
    return schema;
  }

  /** Without conversions: with them it is made for each request. */
  #kind(resource: ServedResource, subresource: string): ManagedKind {
    let kinds = this.#kinds.get(resource);
    if (kinds === undefined) {
      kinds = new Map();
      this.#kinds.set(resource, kinds);
    }
    let kind = kinds.get(subresource);
    if (kind === undefined) {
      kind = this.#makeKind(resource, subresource);
      kinds.set(subresource, kind);
    }
    return kind;
  }

  #makeKind(resource: ServedResource, subresource: string): ManagedKind {
    const { definition, version, apiVersion, kind } = resource;
    return {
      apiVersion,
      kind: kind.kind,
      subresource,
      schemaFor: (other) => {
        if (other === apiVersion) return this.schemaOf(version);
        const found = versionOf(definition, other);
        return found === undefined ? undefined : this.schemaOf(found);
      },
      convert: () => {
        throw new Error('this write needs no conversion');
      },
      withOwnNames: version.codec.withOwnNames?.bind(version.codec),
      empty: this.#emptyObject(resource, version),
      resetFields: resetFieldsOf(definition, subresource),
    };
  }

  async #convert(
    { definition }: ServedResource,
    object: JsonObject,
    apiVersion: string,
  ): Promise<Conversion> {
    if (versionOf(definition, apiVersion) === undefined)
      return unknownVersion(definition, apiVersion);
    try {
      const [converted] = await this.#converter.convert(
        definition,
        [apiObjectOf({ ...object })],
        apiVersion,
      );
      return converted === undefined
        ? { kind: 'failed', message: 'the conversion webhook returned no object' }
        : { kind: 'converted', object: converted };
    } catch (error) {
      if (error instanceof ApiError) return { kind: 'failed', message: error.message };
      throw error;
    }
  }

  /** What every object of the kind shows from the start (`spec: {}`), which no manager has set. */
  #emptyObject({ apiVersion, kind }: ServedResource, version: VersionDefinition): ApiObject {
    let empty = this.#empty.get(version);
    if (empty === undefined) {
      const bare = { apiVersion, kind: kind.kind, metadata: {} };
      empty = version.codec.decode(bare, { reportUnknown: false }).object;
      this.#empty.set(version, empty);
    }
    return empty;
  }
}

/**
 * A client may have read the entries by the alias of the group and send them by its
 * neutral name. They mean the same version; an unknown one would be dropped.
 */
function nameNeutrally(entries: unknown): void {
  if (!Array.isArray(entries)) return;
  for (const entry of entries as readonly JsonValue[]) {
    if (!isObject(entry) || typeof entry.apiVersion !== 'string') continue;
    const name = neutralApiVersion(entry.apiVersion);
    // what is stored has the neutral name, so nothing of the present object is changed
    if (name !== entry.apiVersion) entry.apiVersion = name;
  }
}

function setEntries({ metadata }: ApiObject, entries: ManagedFieldsEntry[]): void {
  if (entries.length === 0) delete metadata.managedFields;
  else metadata.managedFields = entries;
}

/**
 * Entries of a version that a built-in kind never had mean nothing. Those of a
 * version that a definition has lost meant something once: who owned what cannot
 * be told any more, so applies are refused until the entries have been reset.
 */
function unknownVersion({ builtin }: ResourceDefinition, apiVersion: string): Conversion {
  return builtin
    ? { kind: 'unknown-version' }
    : {
        kind: 'failed',
        message: `the definition has no version ${apiVersion}; managedFields: [{}] resets the entries`,
      };
}

function resetFieldsOf(
  definition: ResourceDefinition,
  subresource: string,
): ReadonlyMap<string, FieldSet> {
  const reset = new Map<string, FieldSet>();
  for (const { name, subresources, strategy } of definition.versions) {
    const way =
      subresource === 'status' || subresource === 'approval' || subresource === 'finalize'
        ? subresources[subresource]
        : (strategy ?? definition.strategy);
    const apiVersion = apiVersionOf({ group: definition.group, version: name });
    for (const [version, fields] of resetFieldsIn([apiVersion], way?.resetFields ?? [])) {
      reset.set(version, fields);
    }
  }
  return reset;
}
