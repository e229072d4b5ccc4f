/** A sample of the Prometheus text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads the samples whose names are wanted; the rest of the text is skipped. */
export function parseMetrics(text: string, wanted: ReadonlySet<string>): Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const end = line.search(/[{ ]/);
    if (end < 0 || !wanted.has(line.slice(0, end))) continue;
    const [, name = '', labelText = '', number = ''] = LINE.exec(line) ?? [];
    const labels: Record<string, string> = {};
    for (const [, key = '', value = ''] of labelText.matchAll(LABEL)) {
      labels[key] = value.replace(/\\(.)/g, (_, mark: string) => (mark === 'n' ? '\n' : mark));
    }
    samples.push({ name, labels, value: number === '+Inf' ? Infinity : Number(number) });
  }
  return samples;
}

/** The sum of the samples of a name that `is` holds of. */
export function total(
  samples: readonly Sample[],
  name: string,
  is: (labels: Readonly<Record<string, string>>) => boolean = () => true,
): number {
  return samples.reduce(
    (sum, each) => (each.name === name && is(each.labels) ? sum + each.value : sum),
    0,
  );
}

/** Counts by the upper bound of their bucket, cumulative, of the samples that `is` holds of. */
export function buckets(
  samples: readonly Sample[],
  name: string,
  is: (labels: Readonly<Record<string, string>>) => boolean,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { name: of, labels, value } of samples) {
    if (of !== name || !is(labels)) continue;
    const bound = labels.le === '+Inf' ? Infinity : Number(labels.le);
    counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  return counts;
}

/**
 * The value below which a share of what was observed between two moments lies,
 * with straight lines inside of buckets. Undefined: nothing was observed.
 */
export function quantile(
  share: number,
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): number | undefined {
  const bounds = [...after.keys()].sort((a, b) => a - b);
  const counts = bounds.map((bound) => (after.get(bound) ?? 0) - (before.get(bound) ?? 0));
  const all = counts.at(-1) ?? 0;
  if (all <= 0) return undefined;
  const wanted = share * all;
  const at = counts.findIndex((count) => count >= wanted);
  const [low, high] = [at > 0 ? (bounds[at - 1] ?? 0) : 0, bounds[at] ?? 0];
  if (!Number.isFinite(high)) return low;
  const below = at > 0 ? (counts[at - 1] ?? 0) : 0;
  const inside = (counts[at] ?? 0) - below;
  return inside <= 0 ? high : low + ((high - low) * (wanted - below)) / inside;
}
