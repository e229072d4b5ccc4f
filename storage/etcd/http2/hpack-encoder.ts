import { sizeOfField, STATIC_FIELDS, TABLE_BYTES } from './hpack-tables.ts';

/** One field of the head of a call. */
export interface HeadField {
  readonly name: string;
  readonly value: string;
  /** Not to be remembered by the peer or by what stands in between. */
  readonly secret?: boolean;
}

/** More bytes than the prefix of an integer takes in any head of this client. */
const INTEGER_BYTES = 4;

/**
 * Writes the heads of one connection (RFC 7541). The peer remembers each field, so that the
 * next head names it in one byte.
 */
export class HpackEncoder {
  /** How many fields the peer had been told to remember before this one. */
  readonly #places = new Map<string, number>();
  #tableBytes = 0;
  #remembers = true;
  #saysSize = false;
  /** Heads as they are until another field is remembered. */
  #heads = new WeakMap<readonly HeadField[], Buffer>();

  /** What the peer is willing to remember, in bytes. */
  limit(bytes: number): void {
    if (bytes >= TABLE_BYTES) return;
    this.#places.clear();
    this.#heads = new WeakMap();
    this.#remembers = false;
    this.#saysSize = true;
  }

  /** The same list of fields is the same head. */
  encode(fields: readonly HeadField[]): Buffer {
    const known = this.#heads.get(fields);
    if (known !== undefined) return known;
    const before = this.#places.size;
    const parts: Buffer[] = [];
    if (this.#saysSize) parts.push(integer(0x20, 5, 0));
    for (const field of fields) parts.push(this.#field(field));
    const head = Buffer.concat(parts);
    if (this.#places.size !== before || this.#saysSize) this.#heads = new WeakMap();
    else this.#heads.set(fields, head);
    this.#saysSize = false;
    return head;
  }

  #field({ name, value, secret = false }: HeadField): Buffer {
    const whole = STATIC_FIELDS.findIndex((one) => one[0] === name && one[1] === value);
    if (whole >= 0) return integer(0x80, 7, whole + 1);
    const id = `${name}: ${value}`;
    const place = this.#places.get(id);
    if (place !== undefined) {
      return integer(0x80, 7, STATIC_FIELDS.length + this.#places.size - place);
    }
    const size = sizeOfField(name, value);
    const remembers = this.#remembers && !secret && this.#tableBytes + size <= TABLE_BYTES;
    if (remembers) {
      this.#places.set(id, this.#places.size);
      this.#tableBytes += size;
    }
    const index = STATIC_FIELDS.findIndex((one) => one[0] === name) + 1;
    const start = remembers ? integer(0x40, 6, index) : integer(secret ? 0x10 : 0, 4, index);
    return Buffer.concat([start, ...(index === 0 ? text(name) : []), ...text(value)]);
  }
}

function text(value: string): Buffer[] {
  const bytes = Buffer.from(value, 'latin1');
  return [integer(0, 7, bytes.length), bytes];
}

function integer(pattern: number, prefixBits: number, value: number): Buffer {
  const mask = 2 ** prefixBits - 1;
  if (value < mask) return Buffer.of(pattern | value);
  const bytes = [pattern | mask];
  let rest = value - mask;
  for (let i = 0; rest >= 0x80 && i < INTEGER_BYTES; i++) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>= 7;
  }
  return Buffer.from([...bytes, rest]);
}
