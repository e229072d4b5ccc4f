import { isObject, setOwn, type JsonObject, type JsonValue } from '../api/json.ts';
import { MAX_JSON_DEPTH, MAX_REQUEST_FIELDS } from '../api/json-parse.ts';
import { MAX_REPORTED_DUPLICATES } from '../api/json-reader.ts';
import { formatFloat, resolvePlain } from './scalar-values.ts';
import type { Source } from './source.ts';

/** A key that a mapping has twice; the last value won. */
export interface DuplicateKey {
  /** `spec.a`, `spec.b[0].c`: as JSON's are named. */
  readonly path: string;
  readonly key: string;
  /** Line of the value. */
  readonly line: number;
}

/**
 * All that aliases may add to a document: characters, and so many for each
 * value. A document written out in full cannot be larger than a body may be,
 * one with aliases must not be either.
 */
const MAX_ALIASED = 1024 * 1024;
const VALUE_WEIGHT = 16;

/** Builds values while a document is read, and holds everything that bounds them. */
export class Composer {
  readonly duplicates: DuplicateKey[] = [];
  readonly #source: Source;
  readonly #anchors = new Map<string, JsonValue | undefined>();
  readonly #path: (string | number)[] = [];
  #aliased = 0;
  #fields = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Goes into an element of a collection; {@link leave} must follow. */
  enter(step: string | number): void {
    if (this.#path.length >= MAX_JSON_DEPTH) {
      this.#source.fail(`exceeded max depth of ${MAX_JSON_DEPTH}`);
    }
    this.#path.push(step);
  }

  leave(): void {
    this.#path.pop();
  }

  /** From here on the name stands for a node that is not finished yet. */
  open(anchor: string): void {
    this.#anchors.set(anchor, undefined);
  }

  /** Gives a finished node its name. */
  close(anchor: string, value: JsonValue): void {
    this.#anchors.set(anchor, value);
  }

  /** A copy of what a name stands for. */
  alias(name: string): JsonValue {
    if (!this.#anchors.has(name)) this.#source.fail(`unknown anchor '${name}' referenced`);
    const value = this.#anchors.get(name);
    if (value === undefined) return this.#source.fail(`anchor '${name}' value contains itself`);
    return this.#copy(value, this.#path.length);
  }

  /** What a scalar means. Only plain ones are anything but text, unless a tag says so. */
  scalar(text: string, isPlain: boolean, tag: string | undefined): JsonValue {
    if (tag === undefined) return isPlain ? this.#finite(resolvePlain(text).value) : text;
    switch (tag) {
      case 'int':
      case 'float':
      case 'bool':
      case 'null':
      case 'timestamp':
        return this.#tagged(text, tag);
      case 'binary':
        return Buffer.from(text, 'base64').toString('utf8');
      default:
        return text;
    }
  }

  /** A key of a mapping as JSON has it. */
  keyText(key: JsonValue): string {
    switch (typeof key) {
      case 'string':
        return key;
      case 'boolean':
      case 'bigint':
        return String(key);
      case 'number':
        return Number.isInteger(key) ? String(key) : formatFloat(key);
      default:
        return this.#source.fail(
          key === null ? 'a key of a mapping must not be null' : 'invalid map key: not a scalar',
        );
    }
  }

  /** Sets a key of a mapping; of values for one key the last one wins. */
  set(object: JsonObject, name: string, value: JsonValue, line: number): void {
    if (Object.hasOwn(object, name) && this.duplicates.length < MAX_REPORTED_DUPLICATES) {
      this.duplicates.push({ path: this.#pathOf(name), key: name, line });
    }
    if (++this.#fields > MAX_REQUEST_FIELDS) {
      this.#source.fail(`exceeded max number of ${MAX_REQUEST_FIELDS} fields`);
    }
    setOwn(object, name, value);
  }

  /** Takes over what `<<` names: a mapping, or several of which the first counts most. */
  merge(object: JsonObject, value: JsonValue, line: number): void {
    const sources = Array.isArray(value) ? value.toReversed() : [value];
    for (const source of sources) {
      if (!isObject(source)) {
        this.#source.fail('map merge requires map or sequence of maps as the value', line);
      }
      for (const key of Object.keys(source)) {
        this.set(object, key, source[key] as JsonValue, line);
      }
    }
  }

  #tagged(text: string, tag: string): JsonValue {
    const resolved = resolvePlain(text);
    const fits = resolved.tag === tag || (tag === 'float' && resolved.tag === 'int');
    if (!fits)
      this.#source.fail(`cannot decode !!${resolved.tag} \`${text.slice(0, 80)}\` as a !!${tag}`);
    return this.#finite(resolved.value);
  }

  #finite(value: JsonValue): JsonValue {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.#source.fail(`unsupported value: ${formatFloat(value)}`);
    }
    return value;
  }

  #copy(value: JsonValue, depth: number): JsonValue {
    this.#aliased += VALUE_WEIGHT + (typeof value === 'string' ? value.length : 0);
    if (this.#aliased > MAX_ALIASED) {
      this.#source.fail('document contains excessive aliasing');
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_JSON_DEPTH) this.#source.fail(`exceeded max depth of ${MAX_JSON_DEPTH}`);
    if (Array.isArray(value)) return value.map((item) => this.#copy(item, depth + 1));
    const copy: JsonObject = {};
    for (const key of Object.keys(value)) {
      this.#aliased += key.length;
      setOwn(copy, key, this.#copy(value[key] as JsonValue, depth + 1));
    }
    return copy;
  }

  #pathOf(key: string): string {
    let path = '';
    for (const step of [...this.#path, key]) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += path === '' ? step : `.${step}`;
    }
    return path;
  }
}
