import { isObject, type JsonObject } from '../api/json.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import { canonicalJson } from '../api/json-write.ts';
import { readCommaList, type ReadList } from './comma-list.ts';
import { Kept } from './kept-parts.ts';
import { projectedBytes } from './projected-bytes.ts';
import { readValuePath, type ValuePath } from './value-path.ts';

const MAX_PROJECTED_PATHS = 64;

/** Reads `metadata.labels,spec.replicas`. */
export function parsePaths(text: string): ReadList<ValuePath> {
  return readCommaList(text, {
    readItem(scanner) {
      const read = readValuePath(scanner);
      return 'error' in read ? read : { item: read.path };
    },
    max: MAX_PROJECTED_PATHS,
    tooMany: `at most ${MAX_PROJECTED_PATHS} paths`,
  });
}

const IDENTITY = ['name', 'namespace', 'uid', 'resourceVersion'];

/** What a projection shows: the identity of an object, its resourceVersion, and the paths. */
export class Projector {
  readonly #root = new Kept();

  constructor(paths: readonly ValuePath[]) {
    for (const key of ['apiVersion', 'kind']) this.#root.add([{ kind: 'key', key }]);
    for (const key of IDENTITY) {
      this.#root.add([
        { kind: 'key', key: 'metadata' },
        { kind: 'key', key },
      ]);
    }
    for (const { steps } of paths) this.#root.add(steps);
  }

  /** The part of an object. */
  of(object: JsonObject): JsonObject {
    return this.#root.of(object) as JsonObject;
  }

  /** The same of its finished bytes. */
  ofBytes(bytes: Buffer): Buffer {
    return (
      projectedBytes(this.#root, bytes) ??
      Buffer.from(canonicalJson(this.of(parseStoredJson(bytes))))
    );
  }
}

/** A projected object without some fields of its metadata. */
export function withoutMetadata(projected: JsonObject, keys: readonly string[]): JsonObject {
  const { metadata } = projected;
  if (!isObject(metadata)) return projected;
  const rest = Object.entries(metadata).filter(([key]) => !keys.includes(key));
  return { ...projected, metadata: Object.fromEntries(rest) };
}
