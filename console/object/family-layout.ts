/** An object of the graph. */
export interface Node {
  readonly title: string;
  readonly note: string;
  /** Its page; undefined: it has none, or is the present one. */
  readonly hash: string | undefined;
}

interface Box {
  readonly node: Node;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly isSelf: boolean;
}

interface Drawing {
  readonly boxes: readonly Box[];
  readonly lines: readonly { readonly path: string }[];
  readonly width: number;
  readonly height: number;
}

const [WIDTH, HEIGHT, GAP, STEP] = [176, 44, 10, 36];

/**
 * Owners above, the object, its dependents below: each level is indented and joined
 * to the one above by a line. Sizes are in pixels.
 */
export function layout(owners: readonly Node[], self: Node, dependents: readonly Node[]): Drawing {
  const boxes: Box[] = [];
  const lines: { path: string }[] = [];
  let y = 1;
  const put = (node: Node, x: number, isSelf: boolean): Box => {
    const box = { node, x, y, w: WIDTH, h: HEIGHT, isSelf };
    boxes.push(box);
    y += HEIGHT + GAP;
    return box;
  };
  const above = owners.map((owner) => put(owner, 1, false));
  const selfX = owners.length === 0 ? 1 : STEP;
  const middle = put(self, selfX, true);
  for (const owner of above) lines.push({ path: elbow(owner, middle) });
  for (const dependent of dependents) {
    lines.push({ path: elbow(middle, put(dependent, selfX + STEP, false)) });
  }
  const width = Math.max(...boxes.map(({ x, w }) => x + w)) + 1;
  return { boxes, lines, width, height: y - GAP + 1 };
}

/** Down from the left part of one box, then to the right into the other. */
function elbow(from: Box, to: Box): string {
  const x = from.x + 14;
  return `M${x} ${from.y + from.h}V${to.y + to.h / 2}H${to.x}`;
}
