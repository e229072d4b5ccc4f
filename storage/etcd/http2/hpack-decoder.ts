import {
  CODES,
  END_OF_TEXT,
  MAX_CODE_BITS,
  sizeOfField,
  STATIC_FIELDS,
  TABLE_BYTES,
} from './hpack-tables.ts';

/** Bytes of an integer: more than any length or index of a peer in its right mind takes. */
const MAX_INTEGER_BYTES = 4;

type Field = readonly [name: string, value: string];

class HpackError extends Error {
  override readonly name = 'HpackError';
}

/** Reads the heads of one connection, all of them and in their order: each may refer to what came before (RFC 7541). */
export class HpackDecoder {
  /** The newest first. */
  readonly #table: Field[] = [];
  #tableBytes = 0;
  #maxBytes = TABLE_BYTES;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  /** @throws Error when it cannot be read: the connection is lost then */
  decode(block: Buffer, onField: (name: string, value: string) => void): void {
    this.#bytes = block;
    this.#at = 0;
    while (this.#at < block.length) {
      const first = block[this.#at] ?? 0;
      if (first >= 0x80) {
        const [name, value] = this.#field(this.#integer(7));
        onField(name, value);
      } else if (first >= 0x40) {
        const field = this.#literal(6);
        this.#remember(field);
        onField(field[0], field[1]);
      } else if (first >= 0x20) {
        const size = this.#integer(5);
        if (size > TABLE_BYTES) throw new HpackError('a table larger than agreed on');
        this.#maxBytes = size;
        this.#forget();
      } else {
        const [name, value] = this.#literal(4);
        onField(name, value);
      }
    }
  }

  #literal(prefixBits: number): Field {
    const index = this.#integer(prefixBits);
    const name = index === 0 ? this.#text() : this.#field(index)[0];
    return [name, this.#text()];
  }

  #field(index: number): Field {
    const field =
      index <= STATIC_FIELDS.length
        ? STATIC_FIELDS[index - 1]
        : this.#table[index - STATIC_FIELDS.length - 1];
    if (field === undefined) throw new HpackError(`no field has the index ${index}`);
    return field;
  }

  #remember(field: Field): void {
    this.#table.unshift(field);
    this.#tableBytes += sizeOfField(...field);
    this.#forget();
  }

  #forget(): void {
    while (this.#tableBytes > this.#maxBytes) {
      const oldest = this.#table.pop();
      if (oldest === undefined) return;
      this.#tableBytes -= sizeOfField(...oldest);
    }
  }

  #integer(prefixBits: number): number {
    const mask = 2 ** prefixBits - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let i = 0; i < MAX_INTEGER_BYTES; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    throw new HpackError('an integer that is too large');
  }

  #text(): string {
    const isCoded = (this.#bytes[this.#at] ?? 0) >= 0x80;
    const end = this.#integer(7) + this.#at;
    if (end > this.#bytes.length) throw new HpackError('a head that ends too soon');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return isCoded ? huffmanText(bytes) : bytes.toString('latin1');
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new HpackError('a head that ends too soon');
    return byte;
  }
}

/** A peer sends most texts once for each connection: bit by bit is fast enough. */
function huffmanText(bytes: Buffer): string {
  let text = '';
  let code = 0;
  let bits = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      bits++;
      const { first, symbols } = CODES[bits] ?? CODES[0] ?? NO_CODES;
      const symbol = symbols[code - first];
      if (symbol === END_OF_TEXT || bits > MAX_CODE_BITS) throw new HpackError('an unknown code');
      if (symbol === undefined) continue;
      text += String.fromCharCode(symbol);
      code = 0;
      bits = 0;
    }
  }
  if (bits > 7 || code !== 2 ** bits - 1) throw new HpackError('a text that ends too soon');
  return text;
}

const NO_CODES = { first: 0, symbols: [] };
