import { apiVersionOf } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
import { type ApiObject, apiObjectOf } from '../api/object.ts';
import { withConversions } from '../patch/apply/conversion.ts';
import type { FieldSet } from '../patch/apply/field-set.ts';
import { resetFieldsIn } from '../patch/apply/reset-fields.ts';
import { inTurns } from '../api/steps.ts';
import { updateSteps } from '../patch/apply/update-managers.ts';
import { updateManagers } from '../patch/apply/update-managers-at-once.ts';
import type { Conversion, ManagedKind } from '../patch/apply/versions.ts';
import { mergeSchemaOf } from '../patch/merge-schema-of.ts';
import type { MergeSchema } from '../patch/merge-schema.ts';
import type { ResourceDefinition, VersionDefinition } from '../resources/definition.ts';
import { ApiError } from '../api/api-error.ts';
import type { Converter } from './conversion.ts';
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
  readonly #resets = new WeakMap<ResourceDefinition, Map<string, ReadonlyMap<string, FieldSet>>>();

  constructor(converter: Converter) {
    this.#converter = converter;
  }

  /** Sets `object.metadata.managedFields` as the write leaves them. */
  async onWrite(object: ApiObject, write: TrackedWrite): Promise<void> {
    const { live, manager, now, large } = write;
    const carriesManagers = write.resource.definition.builtin;
    const entries = await this.withKind(write.resource, write.subresource, (kind) => {
      const plain = { kind, live, next: object, manager, now, carriesManagers };
      return large ? inTurns(updateSteps(plain)) : updateManagers(plain);
    });
    const metadata = object.metadata;
    if (entries.length === 0) delete metadata.managedFields;
    else metadata.managedFields = entries;
  }

  /** Does work that needs to know the kind, its versions and conversions between them. */
  withKind<T>(
    resource: ServedResource,
    subresource: string,
    work: (kind: ManagedKind) => T | Promise<T>,
  ): Promise<T> {
    return withConversions(
      (object, apiVersion) => this.#convert(resource, object, apiVersion),
      (convert) => work(this.#kind(resource, subresource, convert)),
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

  #kind(
    resource: ServedResource,
    subresource: string,
    convert: ManagedKind['convert'],
  ): ManagedKind {
    const { definition, version, apiVersion, kind } = resource;
    return {
      apiVersion,
      kind: kind.kind,
      subresource,
      schemaFor: (other) => {
        const found = versionOf(definition, other);
        return found === undefined ? undefined : this.schemaOf(found);
      },
      convert,
      withOwnNames: version.codec.withOwnNames?.bind(version.codec),
      empty: this.#emptyObject(resource, version),
      resetFields: this.#reset(definition, subresource),
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

  #reset(definition: ResourceDefinition, subresource: string): ReadonlyMap<string, FieldSet> {
    let bySubresource = this.#resets.get(definition);
    if (bySubresource === undefined) {
      bySubresource = new Map();
      this.#resets.set(definition, bySubresource);
    }
    let reset = bySubresource.get(subresource);
    if (reset === undefined) {
      reset = resetFieldsOf(definition, subresource);
      bySubresource.set(subresource, reset);
    }
    return reset;
  }
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
