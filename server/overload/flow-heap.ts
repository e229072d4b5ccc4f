import type { Flow } from './flow.ts';

/** Flows by virtual time, the earliest first: a binary heap. */
export class FlowHeap {
  readonly #flows: Flow[] = [];

  get size(): number {
    return this.#flows.length;
  }

  push(flow: Flow): void {
    flow.key = flow.tag;
    flow.inHeap = true;
    this.#flows.push(flow);
    this.#up(this.#flows.length - 1);
  }

  /** The earliest one. Time only moves on, so one that has moved is found on the way and put right. */
  peek(): Flow | undefined {
    for (;;) {
      const [first] = this.#flows;
      if (first === undefined || first.key >= first.tag) return first;
      first.key = first.tag;
      this.#down(0);
    }
  }

  /** Takes the earliest one out. */
  pop(): Flow | undefined {
    const first = this.peek();
    const last = this.#flows.pop();
    if (first === undefined || last === undefined) return undefined;
    first.inHeap = false;
    if (first !== last) {
      this.#flows[0] = last;
      this.#down(0);
    }
    return first;
  }

  #up(at: number): void {
    const flows = this.#flows;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keyOf(flows, parent) <= keyOf(flows, at)) return;
      swap(flows, at, parent);
      at = parent;
    }
  }

  #down(at: number): void {
    const flows = this.#flows;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (keyOf(flows, child) < keyOf(flows, least)) least = child;
      }
      if (least === at) return;
      swap(flows, at, least);
      at = least;
    }
  }
}

const keyOf = (flows: readonly Flow[], at: number): number => flows[at]?.key ?? Infinity;

function swap(flows: Flow[], a: number, b: number): void {
  const [first, second] = [flows[a], flows[b]];
  if (first === undefined || second === undefined) return;
  flows[a] = second;
  flows[b] = first;
}
