import { PerTurn } from '../../api/per-turn.ts';
import type { KeptDocument } from '../document.ts';

/** Documents that were made keep up to so much memory; the one asked for longest ago goes first. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** Requests that waited for a document and go on in one turn of the event loop: each unpacks it. */
const RESUMED_PER_TURN = 16;

/** Finished documents by what they are about, and those that are being made: each is made once at a time. */
export class DocumentCache<K extends object> {
  readonly #maxBytes: number;
  readonly #documents = new Map<K, KeptDocument>();
  readonly #making = new Map<K, Promise<KeptDocument>>();
  readonly #resumed = new PerTurn(RESUMED_PER_TURN);
  #bytes = 0;

  constructor(maxBytes = MAX_CACHED_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: K, make: () => Promise<KeptDocument>): Promise<KeptDocument> {
    const found = this.#documents.get(key);
    if (found !== undefined) {
      this.#documents.delete(key);
      this.#documents.set(key, found);
      return Promise.resolve(found);
    }
    let making = this.#making.get(key);
    if (making === undefined) {
      making = make()
        .then((document) => this.#keep(key, document))
        .finally(() => this.#making.delete(key));
      this.#making.set(key, making);
    }
    return this.#inTurn(making);
  }

  #inTurn(making: Promise<KeptDocument>): Promise<KeptDocument> {
    return new Promise((resolve, reject) => {
      making.then((document) => this.#resumed.run(() => resolve(document)), reject);
    });
  }

  #keep(key: K, document: KeptDocument): KeptDocument {
    const { length } = document.bytes;
    if (length > this.#maxBytes) return document;
    this.#documents.set(key, document);
    this.#bytes += length;
    for (const [oldest, { bytes }] of this.#documents) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#documents.delete(oldest);
      this.#bytes -= bytes.length;
    }
    return document;
  }
}
