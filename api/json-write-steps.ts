import { isObject, type JsonObject, type JsonValue } from './json.ts';
import { rootKeys, stringifyJson } from './json-write.ts';
import { inTurns, isStepOver, type Steps } from './steps.ts';
import { nextTurn } from './turn.ts';

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
  yield* writeObject(pieces, object, inTextOrder(rootKeys(object)), keysInOrder);
  return pieces.bytes();
}

/** The bytes of `stringifyJson`, in steps: keys keep their order. */
export function* jsonSteps(value: JsonValue): Steps<Buffer> {
  const pieces = new TextPieces();
  yield* writeBelow(pieces, value, Object.keys);
  return pieces.bytes();
}

/** Members of objects and lists, and characters, that are written without a pause: less than a millisecond. */
const MAX_MEMBERS_AT_ONCE = 1_000;
const MAX_CHARACTERS_AT_ONCE = 64 * 1024;

/**
 * The text of `stringifyJson`. Of a large value it is written in turns of the event
 * loop, one piece of such work in each, however many are asked for at once.
 */
export async function stringifyLargeJson(value: JsonValue): Promise<string> {
  if (!isLarge(value)) return stringifyJson(value);
  await nextTurn();
  return (await inTurns(jsonSteps(value))).toString('utf8');
}

/** Is a value so large that it is written in steps? */
export function isLarge(value: JsonValue): boolean {
  let members = 0;
  let characters = 0;
  const isOver = (part: JsonValue | undefined): boolean => {
    if (typeof part === 'string') characters += part.length;
    if (++members > MAX_MEMBERS_AT_ONCE || characters > MAX_CHARACTERS_AT_ONCE) return true;
    if (typeof part !== 'object' || part === null) return false;
    if (Array.isArray(part)) return part.some(isOver);
    for (const key in part) {
      characters += key.length;
      if (isOver(part[key])) return true;
    }
    return false;
  };
  return isOver(value);
}

type KeysOf = (object: JsonObject) => readonly string[];

const keysInOrder: KeysOf = (object) => inTextOrder(Object.keys(object).sort());

function* writeObject(
  pieces: TextPieces,
  object: JsonObject,
  keys: readonly string[],
  keysOf: KeysOf,
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
      yield* writeBelow(pieces, value, keysOf);
    }
  }
  pieces.add(before === '{' ? '{}' : '}');
}

function* writeBelow(pieces: TextPieces, value: JsonValue, keysOf: KeysOf): Steps<void> {
  if (isObject(value)) yield* writeObject(pieces, value, keysOf(value), keysOf);
  else if (Array.isArray(value)) {
    pieces.add('[');
    for (const [i, item] of value.entries()) {
      if (isStepOver()) yield;
      if (i > 0) pieces.add(',');
      yield* writeBelow(pieces, item, keysOf);
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
