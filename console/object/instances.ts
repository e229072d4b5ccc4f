import { getJson, Refused, send } from '../api/http.ts';
import { at, listAt, textAt } from '../api/json.ts';
import { groupResource, pathOf, type Kind } from '../api/kind.ts';
import { counted } from '../parts/numbers.ts';

/** The objects of a definition. */
export interface Instances {
  /** Undefined: the server does not serve the kind now. */
  readonly kind: Kind | undefined;
  /** As many as the user may see; undefined: unknown. */
  readonly count: number | undefined;
  /** There may be some that the user may not see. */
  readonly isPart: boolean;
  /** Namespaces that hold some, as `3 namespaces`; empty: the kind has no namespaces. */
  readonly where: string;
  /** Of the first ones. */
  readonly uids: readonly string[];
}

/** Objects whose dependents are looked for. */
const MOST = 200;

/**
 * What goes with a definition, whose name is `plural.group`.
 *
 * @throws Refused, Unreachable
 */
export async function instancesOf(
  definition: string,
  kinds: readonly Kind[],
  signal?: AbortSignal,
): Promise<Instances> {
  const kind = kinds.find((each) => groupResource(each) === definition);
  const unknown = { kind, count: undefined, isPart: false, where: '', uids: [] };
  if (kind === undefined) return unknown;
  const ask = signal && { signal };
  try {
    const groups = kind.namespaced ? '&groupBy=metadata.namespace' : '';
    const path = `${pathOf(kind)}?authorized=true`;
    const { text, warnings } = await send('GET', `${path}&count=true${groups}`, ask);
    const answer: unknown = JSON.parse(text);
    const count = Number(at(answer, 'count') ?? 0);
    const isPart = warnings.length > 0;
    if (count === 0) return { ...unknown, count: isPart ? undefined : 0, isPart };
    const spaces = counted(listAt(answer, 'groups').length, 'namespace');
    const areMore = Number(at(answer, 'others') ?? 0) > 0;
    const list = await getJson(`${path}&fields=metadata.name&limit=${MOST}`, ask);
    return {
      ...{ kind, count, isPart },
      where: kind.namespaced ? `${areMore ? 'more than ' : ''}${spaces}` : '',
      uids: listAt(list, 'items').map((item) => textAt(item, 'metadata', 'uid')),
    };
  } catch (error) {
    if (error instanceof Refused && error.code === 403) return unknown;
    throw error;
  }
}
