import { parseStoredJson } from '../../api/json-parse.ts';
import type { JsonObject } from '../../api/json.ts';
import { schemaOfVersion } from '../../schema/lazy.ts';

/** The holder of the stored bytes of a definition; the bytes may come to lie elsewhere in memory. */
export interface BytesHolder {
  readonly bytes: Uint8Array;
}

/**
 * The stored bytes of a definition, from which schemas are read when they
 * are needed. They are those that the replica holds anyway: not a view of them
 * is kept, which would keep alive what they lay in once, but their holder; and
 * when only the status of the definition changes, the newer one takes the place
 * of the older one.
 */
export class DefinitionSource {
  #holder: BytesHolder;

  constructor(holder: BytesHolder) {
    this.#holder = holder;
  }

  /** A holder of bytes with the same spec. */
  renew(holder: BytesHolder): void {
    this.#holder = holder;
  }

  /** The JSON of the schema of a version, a new one at each call; undefined when it has none. */
  schemaJson(version: string): JsonObject | undefined {
    return schemaOfVersion(parseStoredJson(this.#holder.bytes), version);
  }
}
