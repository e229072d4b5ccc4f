import { getOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../api/json.ts';
import { textOfScalar } from './read-path.ts';
import { Scanner } from './scanner.ts';
import { readValuePath, unreadable, type PathStep, type ValuePath } from './value-path.ts';

const MAX_PROJECTED_PATHS = 64;

/** Reads `metadata.labels,spec.replicas`. */
export function parsePaths(
  text: string,
): { readonly paths: readonly ValuePath[] } | { readonly error: string } {
  const scanner = new Scanner(text);
  const paths: ValuePath[] = [];
  do {
    const read = readValuePath(scanner);
    if ('error' in read) return read;
    paths.push(read.path);
    if (paths.length > MAX_PROJECTED_PATHS)
      return { error: `at most ${MAX_PROJECTED_PATHS} paths` };
  } while (scanner.take(','));
  return scanner.atEnd ? { paths } : { error: unreadable(scanner) };
}

/** What is kept of a value: all of it, or what stands behind some steps. */
class Kept {
  isWhole = false;
  readonly keys = new Map<string, Kept>();
  readonly items: { readonly step: Exclude<PathStep, { kind: 'key' }>; readonly kept: Kept }[] = [];

  add(steps: readonly PathStep[]): void {
    const [step, ...rest] = steps;
    if (step === undefined) {
      this.isWhole = true;
      return;
    }
    if (step.kind === 'key') {
      const next = this.keys.get(step.key) ?? new Kept();
      this.keys.set(step.key, next);
      next.add(rest);
      return;
    }
    const kept = new Kept();
    this.items.push({ step, kept });
    kept.add(rest);
    // the item says which one it is
    if (step.kind === 'item') kept.add([{ kind: 'key', key: step.key }]);
  }

  /** Undefined: nothing of it. */
  of(value: JsonValue): JsonValue | undefined {
    if (this.isWhole) return value;
    if (Array.isArray(value)) return this.#ofList(value);
    if (!isObject(value)) return undefined;
    const object: JsonObject = {};
    for (const [key, kept] of this.keys) {
      const child = getOwn(value, key);
      const shown = child === undefined ? undefined : kept.of(child);
      if (shown !== undefined) setOwn(object, key, shown);
    }
    return object;
  }

  #ofList(list: readonly JsonValue[]): JsonValue | undefined {
    if (this.items.length === 0) return undefined;
    const shown = new Map<number, JsonValue>();
    for (const { step, kept } of this.items) {
      const at =
        step.kind === 'index'
          ? step.index
          : list.findIndex(
              (item) => isObject(item) && textOfScalar(getOwn(item, step.key)) === step.value,
            );
      const item = list[at];
      const part = item === undefined ? undefined : kept.of(item);
      if (part !== undefined) shown.set(at, joined(shown.get(at), part));
    }
    return [...shown].sort(([a], [b]) => a - b).map(([, item]) => item);
  }
}

/** Two parts of one item. */
function joined(a: JsonValue | undefined, b: JsonValue): JsonValue {
  if (!isObject(a) || !isObject(b)) return b;
  const both = { ...a };
  for (const [key, value] of Object.entries(b)) setOwn(both, key, joined(getOwn(a, key), value));
  return both;
}

const IDENTITY = ['name', 'namespace', 'uid', 'resourceVersion'];

/** What a projection shows of an object: its identity, its resourceVersion, and the paths. */
export function projector(paths: readonly ValuePath[]): (object: JsonObject) => JsonObject {
  const root = new Kept();
  for (const key of ['apiVersion', 'kind']) root.add([{ kind: 'key', key }]);
  for (const key of IDENTITY) {
    root.add([
      { kind: 'key', key: 'metadata' },
      { kind: 'key', key },
    ]);
  }
  for (const { steps } of paths) root.add(steps);
  return (object) => root.of(object) as JsonObject;
}

/** A projected object without some fields of its metadata. */
export function withoutMetadata(projected: JsonObject, keys: readonly string[]): JsonObject {
  const { metadata } = projected;
  if (!isObject(metadata)) return projected;
  const rest = Object.entries(metadata).filter(([key]) => !keys.includes(key));
  return { ...projected, metadata: Object.fromEntries(rest) };
}
