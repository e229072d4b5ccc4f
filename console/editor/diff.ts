/** A line of a difference. */
interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'skipped';
  readonly text: string;
}

/** Lines around a difference that are shown. */
const AROUND = 3;
/** Pairs of lines that are compared at most; beyond it everything counts as changed. */
const MOST_PAIRS = 4_000_000;

/** How one text becomes the other, line by line, with little around it. */
export function diffOf(before: string, after: string): DiffLine[] {
  return shortened(allLines(before.split('\n'), after.split('\n')));
}

function allLines(a: readonly string[], b: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end))
    end += 1;
  const same = (lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

/** By the longest common subsequence. */
function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (a.length * b.length > MOST_PAIRS) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [x, y] = [a[i], b[j]];
    if (x !== undefined && x === y) {
      lines.push({ kind: 'same', text: x });
      i += 1;
      j += 1;
    } else if (x !== undefined && (y === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(x));
      i += 1;
    } else if (y !== undefined) {
      lines.push(added(y));
      j += 1;
    }
  }
  return lines;
}

function shortened(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map(() => false);
  lines.forEach(({ kind }, i) => {
    if (kind === 'same') return;
    for (let j = Math.max(0, i - AROUND); j <= Math.min(lines.length - 1, i + AROUND); j++)
      isNear[j] = true;
  });
  const shown: DiffLine[] = [];
  lines.forEach((line, i) => {
    if (isNear[i] === true) shown.push(line);
    else if (shown.at(-1)?.kind !== 'skipped') shown.push({ kind: 'skipped', text: '' });
  });
  return shown.length === 1 && shown[0]?.kind === 'skipped' ? [] : shown;
}
