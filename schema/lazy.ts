import { parseStoredJson } from '../api/json-parse.ts';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { atOnce, type Steps } from '../api/steps.ts';
import { schemaSteps } from './from-json.ts';
import { StructuralSchema } from './structure/structural.ts';

/**
 * The schema of one version of one CRD, built when it is first asked for. A
 * thousand installed CRDs cost their source (the bytes of the definition, which
 * the replica holds anyway) until the resource is used.
 */
export class LazySchema {
  readonly #source: () => JsonObject | undefined;
  #schema: StructuralSchema | undefined;

  /** `source` gives the JSON of `openAPIV3Schema`, parsed each time; undefined stands for the empty schema. */
  constructor(source: () => JsonObject | undefined) {
    this.#source = source;
  }

  /** The schema of `spec.versions[name=version]` of a definition in stored bytes. */
  static ofDefinition(bytes: Uint8Array, version: string): LazySchema {
    return new LazySchema(() => schemaOfVersion(parseStoredJson(bytes), version));
  }

  /** Whether the schema has been built; tests and figures look at it. */
  get isBuilt(): boolean {
    return this.#schema !== undefined;
  }

  get schema(): StructuralSchema {
    return this.#schema ?? atOnce(this.build());
  }

  /** Builds the schema in steps. */
  *build(): Steps<StructuralSchema> {
    const json = this.#source();
    const schema = json === undefined ? EMPTY_SCHEMA : yield* schemaSteps(json);
    this.#schema ??= schema;
    return this.#schema;
  }

  /** The JSON of the schema, with titles and descriptions; for documents. Not kept. */
  json(): JsonObject | undefined {
    return this.#source();
  }
}

/** Knows no field: everything but type and metadata of an object is unknown to it. */
const EMPTY_SCHEMA = new StructuralSchema({ type: 'object' });

/** The JSON of `openAPIV3Schema` of one version of a definition; undefined when there is none. */
export function schemaOfVersion(definition: JsonObject, version: string): JsonObject | undefined {
  const spec = getOwn(definition, 'spec');
  const versions = isObject(spec) ? getOwn(spec, 'versions') : undefined;
  if (!Array.isArray(versions)) return undefined;
  const entry = versions.find((v): v is JsonObject => isObject(v) && getOwn(v, 'name') === version);
  return objectAt(objectAt(entry, 'schema'), 'openAPIV3Schema');
}

function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const child: JsonValue | undefined = value === undefined ? undefined : getOwn(value, key);
  return isObject(child) ? child : undefined;
}
