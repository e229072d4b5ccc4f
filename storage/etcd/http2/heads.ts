import { contentOf, FLAG, FRAME, ProtocolError, type Frame } from './frames.ts';
import type { Head } from './stream.ts';
import { HpackDecoder } from './hpack-decoder.ts';

/** The head of an answer; etcd's have a few dozen bytes, a proxy's some hundreds. */
const MAX_HEAD_BYTES = 64 * 1024;

interface CompleteHead {
  readonly stream: number;
  readonly fields: Head;
  /** Nothing follows it. */
  readonly isLast: boolean;
}

/** Puts the heads of one connection together; each of them, for later ones may refer to it. */
export class HeadReader {
  readonly #decoder = new HpackDecoder();
  /** A head that goes on in the next frame. */
  #begun: { readonly frame: Frame; readonly bytes: Buffer } | undefined;

  /** @throws ProtocolError when a head has begun and this is not how it goes on */
  check({ type, stream }: Frame): void {
    const goesOn = type === FRAME.CONTINUATION;
    const fits =
      this.#begun === undefined ? !goesOn : goesOn && this.#begun.frame.stream === stream;
    if (!fits) throw new ProtocolError('a head in pieces that do not belong together');
  }

  /** Undefined: it goes on. @throws Error when it cannot be read */
  push(frame: Frame): CompleteHead | undefined {
    const begun = this.#begun;
    const first = begun?.frame ?? frame;
    const bytes =
      begun === undefined ? contentOf(frame) : Buffer.concat([begun.bytes, frame.payload]);
    if (bytes.length > MAX_HEAD_BYTES) throw new ProtocolError('a head that is too large');
    const isWhole = (frame.flags & FLAG.END_HEADERS) !== 0;
    this.#begun = isWhole ? undefined : { frame: first, bytes: Buffer.from(bytes) };
    if (!isWhole) return undefined;
    const fields: Record<string, string> = {};
    this.#decoder.decode(bytes, (name, value) => {
      fields[name] = value;
    });
    const isLast = (first.flags & FLAG.END_STREAM) !== 0;
    return { stream: first.stream, fields, isLast };
  }
}
