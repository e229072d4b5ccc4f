import { parseStoredJson } from '../../api/json-parse.ts';
import type { JsonObject } from '../../api/json.ts';
import { schemaOfVersion } from '../../schema/lazy.ts';

/**
 * The stored bytes of a definition, from which schemas are read when somebody
 * needs them. They are those that the replica holds anyway: when only the status
 * of the definition changes, the newer ones take the place of the older ones, so
 * that these are not kept alive.
 */
export class DefinitionSource {
  #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Bytes with the same spec. */
  renew(bytes: Uint8Array): void {
    this.#bytes = bytes;
  }

  /** The JSON of the schema of a version, made anew; undefined when it has none. */
  schemaJson(version: string): JsonObject | undefined {
    return schemaOfVersion(parseStoredJson(this.#bytes), version);
  }
}
