interface Event {
  readonly at: number;
  readonly happen: (at: number) => void;
}

/** What happens in a simulation, in the order of time. */
export class EventQueue {
  readonly #heap: Event[] = [];

  /** `happen` is called at that time, with it. */
  add(at: number, happen: (at: number) => void): void {
    const heap = this.#heap;
    const event = { at, happen };
    let i = heap.push(event) - 1;
    while (i > 0) {
      const up = (i - 1) >> 1;
      const parent = heap[up];
      if (parent === undefined || parent.at <= at) break;
      heap[i] = parent;
      i = up;
    }
    heap[i] = event;
  }

  /** Runs until nothing is left. */
  run(): void {
    for (let event = this.#next(); event !== undefined; event = this.#next()) {
      event.happen(event.at);
    }
  }

  #next(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      const least = right !== undefined && right.at < left.at ? right : left;
      if (least === right) child++;
      if (least.at >= last.at) break;
      heap[i] = least;
      i = child;
    }
    heap[i] = last;
    return first;
  }
}
