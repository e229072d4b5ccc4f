import { canonicalJson } from '../api/json-write.ts';
import { endOfString } from '../api/json-scan.ts';
import { parseJson } from '../api/json-parse.ts';
import type { Kept } from './kept-parts.ts';
import { endOfValue } from './read-bytes.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const STRANGE = -1;

/**
 * The parts of an object that are kept, cut out of its canonical bytes (JSON
 * without blanks): what is not kept is not read, so an object of a megabyte takes
 * a few milliseconds. Undefined for other bytes, which have to be read as a whole.
 */
export function projectedBytes(root: Kept, bytes: Buffer): Buffer | undefined {
  const pieces: Buffer[] = [];
  if (bytes[0] !== OPEN_BRACE) return undefined;
  if (cutObject(new Levels(root), bytes, 0, pieces) === STRANGE) return undefined;
  return Buffer.concat(pieces);
}

const OPEN = Buffer.from('{');
const CLOSE = Buffer.from('}');
const BETWEEN = Buffer.from(',');
/** What stands around the list in `{"v":[…]}`. */
const AROUND_LIST = ['{"v":'.length, -'}'.length] as const;

/** The keys of one level as they stand in JSON, and which of them cannot be excluded at a glance. */
class Levels {
  readonly keys = new Map<string, Kept>();
  readonly #glances = new Set<number>();

  constructor({ keys }: Kept) {
    for (const [key, kept] of keys) {
      const text = Buffer.from(JSON.stringify(key));
      this.keys.set(text.toString(), kept);
      this.#glances.add(glance(text, 0, text.length));
    }
  }

  /** What is kept of the member whose key stands at `[start, end)`, quotes included. */
  of(bytes: Buffer, start: number, end: number): Kept | undefined {
    if (!this.#glances.has(glance(bytes, start, end))) return undefined;
    return this.keys.get(bytes.toString('utf8', start, end));
  }
}

/** Most keys differ from the wanted ones in their length or their last character. */
function glance(bytes: Buffer, start: number, end: number): number {
  return (end - start) * 256 + (bytes[end - 2] ?? 0);
}

/** Writes what is kept of the object at `start`; the position behind it. */
function cutObject(levels: Levels, bytes: Buffer, start: number, pieces: Buffer[]): number {
  pieces.push(OPEN);
  let isFirst = true;
  let at = start + 1;
  while (bytes[at] !== CLOSE_BRACE) {
    if (bytes[at] !== QUOTE) return STRANGE;
    const keyEnd = endOfString(bytes, at) + 1;
    if (bytes[keyEnd] !== COLON) return STRANGE;
    const kept = levels.of(bytes, at, keyEnd);
    let end: number;
    if (kept === undefined || !isShown(kept, bytes[keyEnd + 1])) {
      end = endOfValue(bytes, keyEnd + 1);
    } else {
      if (!isFirst) pieces.push(BETWEEN);
      isFirst = false;
      pieces.push(bytes.subarray(at, keyEnd + 1));
      end = cutValue(kept, bytes, keyEnd + 1, pieces);
      if (end === STRANGE) return STRANGE;
    }
    if (bytes[end] === COMMA) end++;
    else if (bytes[end] !== CLOSE_BRACE) return STRANGE;
    at = end;
  }
  pieces.push(CLOSE);
  return at + 1;
}

/** Whether anything is shown of a value that begins with this byte. */
function isShown(kept: Kept, first: number | undefined): boolean {
  if (kept.isWhole || first === OPEN_BRACE) return true;
  return first === OPEN_BRACKET && kept.items.length > 0;
}

function cutValue(kept: Kept, bytes: Buffer, start: number, pieces: Buffer[]): number {
  if (!kept.isWhole && bytes[start] === OPEN_BRACE) {
    return cutObject(new Levels(kept), bytes, start, pieces);
  }
  const end = endOfValue(bytes, start);
  const value = bytes.subarray(start, end);
  pieces.push(kept.isWhole ? value : itemsOf(kept, value));
  return end;
}

/** Items are found by what they hold, so the list is read. */
function itemsOf(kept: Kept, list: Buffer): Buffer {
  const items = kept.of(parseJson(list.toString('utf8')).value) ?? [];
  return Buffer.from(canonicalJson({ v: items }).slice(...AROUND_LIST));
}
