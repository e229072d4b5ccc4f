/** One clause of an Accept header: `application/json;as=Table;v=v1`. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  /** Parameters without the weight, as they are written. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly weight: number;
}

/** Clauses beyond this many are not looked at: no client offers so many forms. */
const MAX_CLAUSES = 64;
/** The same for the parameters of a clause. */
const MAX_PARAMETERS = 64;
/** Enough for every common header; others are parsed each time. */
const MAX_CACHED = 256;
const MAX_CACHED_LENGTH = 512;

const cache = new Map<string, readonly AcceptClause[]>();

/**
 * The clauses of an Accept header, most wanted first: by weight, wildcards
 * behind what names a type, otherwise as they stand in the header. Letters keep
 * their case and a clause that is none is left out, as goautoneg does it.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  const cached = cache.get(header);
  if (cached !== undefined) return cached;
  const clauses = header
    .split(',', MAX_CLAUSES)
    .map(parseClause)
    .filter((clause) => clause !== undefined)
    .sort((a, b) => b.weight - a.weight || precision(b) - precision(a));
  if (cache.size < MAX_CACHED && header.length <= MAX_CACHED_LENGTH) cache.set(header, clauses);
  return clauses;
}

function parseClause(text: string): AcceptClause | undefined {
  const [range = '', ...rest] = text.split(';', 1 + MAX_PARAMETERS);
  const parts = range.trim().split('/');
  if (parts.length > 2) return undefined;
  const [type = '', subtype] = parts;
  if (subtype === undefined && type !== '*') return undefined;
  const parameters = new Map<string, string>();
  let weight = 1;
  for (const parameter of rest) {
    const [name = '', value, ...more] = parameter.split('=');
    if (value === undefined || more.length > 0) continue;
    if (name.trim() === 'q') weight = weightOf(value.trim());
    else parameters.set(name.trim(), value.trim());
  }
  return { type: type.trim(), subtype: (subtype ?? '*').trim(), parameters, weight };
}

function weightOf(text: string): number {
  const weight = text === '' ? NaN : Number(text);
  return Number.isNaN(weight) ? 0 : weight;
}

function precision({ type, subtype }: AcceptClause): number {
  return type === '*' ? 0 : subtype === '*' ? 1 : 2;
}

/** Does the clause name this type, by itself or by a wildcard? */
export function acceptsType(clause: AcceptClause, mediaType: string): boolean {
  if (clause.type === '*') return clause.subtype === '*';
  if (clause.subtype === '*') return mediaType.startsWith(`${clause.type}/`);
  return mediaType === `${clause.type}/${clause.subtype}`;
}
