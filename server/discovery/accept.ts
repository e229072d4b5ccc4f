/** One clause of an Accept header. */
export interface MediaRange {
  /** `application/json`, `application/*`, `*` + `/*`; in lower case. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Clauses beyond this many are ignored: no client has so many formats to offer. */
const MAX_CLAUSES = 64;

const ANYTHING: readonly MediaRange[] = [{ type: '*/*', parameters: new Map() }];

/**
 * The clauses of an Accept header, the most wanted first: by weight, and in the
 * order of the header where weights are equal. No header accepts anything;
 * clauses of weight 0 are left out.
 */
export function parseAccept(header: string | undefined): readonly MediaRange[] {
  if (header === undefined || header.trim() === '') return ANYTHING;
  const ranges: (MediaRange & { readonly weight: number })[] = [];
  for (const clause of header.split(',', MAX_CLAUSES)) {
    const [type = '', ...rest] = clause.split(';');
    const parameters = new Map<string, string>();
    for (const parameter of rest) {
      const equals = parameter.indexOf('=');
      if (equals < 0) continue;
      const value = parameter.slice(equals + 1).trim();
      parameters.set(parameter.slice(0, equals).trim(), value.replace(/^"(.*)"$/, '$1'));
    }
    const weight = weightOf(parameters.get('q'));
    if (weight > 0) ranges.push({ type: type.trim().toLowerCase(), parameters, weight });
  }
  return ranges.sort((a, b) => b.weight - a.weight);
}

function weightOf(text: string | undefined): number {
  const weight = text === undefined ? 1 : Number(text);
  return Number.isFinite(weight) ? Math.min(weight, 1) : 1;
}

/** Does the range name this type, by itself or by a star? */
export function rangeMatches(range: MediaRange, type: string): boolean {
  if (range.type === type || range.type === '*/*') return true;
  return range.type.endsWith('/*') && type.startsWith(range.type.slice(0, -1));
}
