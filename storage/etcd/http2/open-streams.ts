import type { H2Stream } from './stream.ts';

/** Streams whose numbers have the same remainder form one list; few do. */
const LISTS = 256;

/**
 * The streams of a connection, by their numbers. No Map: V8 replaces the table of one that
 * changes all the time, a replaced table refers to its successor, and once one is old, all
 * streams that come later are kept until the next full collection (docs/decisions/0012-no-guesses-about-lifetimes.md).
 */
export class OpenStreams {
  readonly #lists: (H2Stream | undefined)[] = Array.from({ length: LISTS }, () => undefined);
  size = 0;

  get(id: number): H2Stream | undefined {
    let stream = this.#lists[placeOf(id)];
    while (stream !== undefined && stream.id !== id) stream = stream.next;
    return stream;
  }

  add(stream: H2Stream): void {
    const place = placeOf(stream.id);
    stream.next = this.#lists[place];
    this.#lists[place] = stream;
    this.size++;
  }

  delete(stream: H2Stream): void {
    const place = placeOf(stream.id);
    let before: H2Stream | undefined;
    let one = this.#lists[place];
    for (; one !== undefined && one !== stream; one = one.next) before = one;
    if (one === undefined) return;
    if (before === undefined) this.#lists[place] = stream.next;
    else before.next = stream.next;
    // what is old already must not keep its neighbour
    stream.next = undefined;
    this.size--;
  }

  all(): H2Stream[] {
    const all: H2Stream[] = [];
    for (const first of this.#lists) {
      for (let one = first; one !== undefined; one = one.next) all.push(one);
    }
    return all;
  }
}

/** Numbers of a client's streams are odd. */
function placeOf(id: number): number {
  return (id >>> 1) % LISTS;
}
