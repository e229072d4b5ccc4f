import type { Candidate } from './candidate.ts';

type StrategyChoice =
  | { readonly strategy: string }
  /** Candidates of the newest version want different strategies: none is elected until they agree. */
  | { readonly disagreement: string };

/**
 * The strategy of the candidates with the newest binary version.
 * Source: specification 1, section 2.6; behaviours 9.9.
 */
export function chooseStrategy(candidates: readonly Candidate[]): StrategyChoice {
  let newest: Candidate[] = [];
  for (const candidate of candidates) {
    const order = newest[0] === undefined ? 1 : compareVersions(candidate, newest[0], 'binary');
    if (order > 0) newest = [candidate];
    else if (order === 0) newest.push(candidate);
  }
  const [first] = newest;
  if (first === undefined) return { disagreement: 'there are no candidates' };
  const other = newest.find(({ strategy }) => strategy !== first.strategy);
  if (other === undefined) return { strategy: first.strategy };
  const names = `${JSON.stringify(first.name)}, ${JSON.stringify(other.name)}`;
  return {
    disagreement: `candidates ${names} at same binary version but received differing strategies ${first.strategy}, ${other.strategy}`,
  };
}

/**
 * Whom OldestEmulationVersion elects: the lowest emulation version, then the
 * lowest binary version, then the oldest, then the first by name. Candidates
 * without versions, or with versions that contradict each other, do not stand.
 */
export function chooseOldest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates
    .filter(stands)
    .sort(
      (a, b) =>
        compareVersions(a, b, 'emulation') ||
        compareVersions(a, b, 'binary') ||
        a.createdAt - b.createdAt ||
        (a.name < b.name ? -1 : 1),
    )[0];
}

function stands({ binary, emulation }: Candidate): boolean {
  return binary !== undefined && emulation !== undefined && !emulation.isGreaterThan(binary);
}

/** No version comes before all others. */
function compareVersions(a: Candidate, b: Candidate, which: 'binary' | 'emulation'): number {
  const [x, y] = [a[which], b[which]];
  if (x === undefined || y === undefined) return Number(x !== undefined) - Number(y !== undefined);
  return x.compare(y);
}
