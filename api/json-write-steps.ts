import { isObject, type JsonObject, type JsonValue } from './json.ts';
import { rootKeys } from './json-write.ts';
import { isStepOver, type Steps } from './steps.ts';

/** Text is made into bytes in pieces of this many characters. */
const PIECE = 16 * 1024;

/** Gathers text as bytes. */
export class TextPieces {
  readonly #pieces: Buffer[] = [];
  #text = '';

  add(text: string): void {
    this.#text += text;
    if (this.#text.length < PIECE) return;
    this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }

  bytes(): Buffer {
    const rest = Buffer.from(this.#text);
    return this.#pieces.length === 0 ? rest : Buffer.concat([...this.#pieces, rest]);
  }
}

/** The bytes of `canonicalJson`, in steps. */
export function* canonicalSteps(object: JsonObject): Steps<Buffer> {
  const pieces = new TextPieces();
  yield* writeObject(pieces, object, inTextOrder(rootKeys(object)));
  return pieces.bytes();
}

function* writeObject(
  pieces: TextPieces,
  object: JsonObject,
  keys: readonly string[],
): Steps<void> {
  let before = '{';
  for (const key of keys) {
    if (isStepOver()) yield;
    const value = object[key];
    if (value === undefined) continue;
    const start = `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (typeof value !== 'object' || value === null) pieces.add(start + textOf(value));
    else {
      pieces.add(start);
      yield* writeBelow(pieces, value);
    }
  }
  pieces.add(before === '{' ? '{}' : '}');
}

function* writeBelow(pieces: TextPieces, value: JsonValue): Steps<void> {
  if (isObject(value)) yield* writeObject(pieces, value, inTextOrder(Object.keys(value).sort()));
  else if (Array.isArray(value)) {
    pieces.add('[');
    for (const [i, item] of value.entries()) {
      if (isStepOver()) yield;
      if (i > 0) pieces.add(',');
      yield* writeBelow(pieces, item);
    }
    pieces.add(']');
  } else pieces.add(textOf(value));
}

/** Keys that are indexes of arrays come first, by number, in every JavaScript object. */
function inTextOrder(keys: readonly string[]): readonly string[] {
  if (!keys.some(isIndex)) return keys;
  const indexes = keys.filter(isIndex).sort((a, b) => Number(a) - Number(b));
  return [...indexes, ...keys.filter((key) => !isIndex(key))];
}

const MAX_INDEX = 2 ** 32 - 2;

function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(key) && Number(key) <= MAX_INDEX;
}

function textOf(value: JsonValue): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}
