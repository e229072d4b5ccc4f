import { getJson, Refused } from './http.ts';
import { at, listAt, type Json } from './json.ts';
import { resourceName, type Kind } from './kind.ts';

const SNAPSHOT = '/apis/query.cluster.io/v1/snapshot';
/** Kinds of one request: the server answers up to 100. */
const KINDS_AT_ONCE = 90;
/** Characters of one request's path: the server reads headers of up to 64 KiB. */
const CHARACTERS_AT_ONCE = 24_000;

/** What a question to several kinds has found. */
interface Lists {
  readonly lists: readonly (readonly [Kind, Json])[];
  /** Kinds that could not be read, each once. */
  readonly unread: Unread;
}

/** Kinds whose objects are unknown, by name. */
export interface Unread {
  /** The user may not list them. */
  readonly forbidden: readonly string[];
  /** Another server keeps them, or their definition has just gone. */
  readonly elsewhere: readonly string[];
}

interface Question {
  /** Where to look; empty: everywhere. */
  readonly namespace: string;
  /** Parameters of each list. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The same question to several kinds. What the user may not list is named, and
 * does not keep the others from being read.
 *
 * @throws Refused, Unreachable
 */
export async function listEach(kinds: readonly Kind[], question: Question): Promise<Lists> {
  const search = new Search(question);
  for (const some of search.portions(kinds)) await search.ask(some);
  const { lists, forbidden, elsewhere } = search;
  return { lists, unread: { forbidden: [...forbidden], elsewhere: [...elsewhere] } };
}

/** What several questions could not read. */
export function unreadOf(all: readonly Unread[]): Unread {
  return {
    forbidden: [...new Set(all.flatMap(({ forbidden }) => forbidden))],
    elsewhere: [...new Set(all.flatMap(({ elsewhere }) => elsewhere))],
  };
}

class Search {
  readonly lists: (readonly [Kind, Json])[] = [];
  readonly forbidden = new Set<string>();
  readonly elsewhere = new Set<string>();
  readonly #question: Question;
  readonly #parameters: string;

  constructor(question: Question) {
    this.#question = question;
    this.#parameters = new URLSearchParams(question.parameters).toString();
  }

  /** The kinds, in requests that the server takes. */
  portions(kinds: readonly Kind[]): Kind[][] {
    const portions: Kind[][] = [];
    let [portion, characters]: [Kind[], number] = [[], 0];
    for (const kind of kinds) {
      const more = encodeURIComponent(this.#textOf(kind)).length + '&resources='.length;
      if (portion.length === KINDS_AT_ONCE || characters + more > CHARACTERS_AT_ONCE) {
        portions.push(portion);
        [portion, characters] = [[], 0];
      }
      portion.push(kind);
      characters += more;
    }
    return [...portions, portion].filter(({ length }) => length > 0);
  }

  /** Asks, and once more without the kinds that the server refuses. */
  async ask(kinds: readonly Kind[]): Promise<void> {
    const query = new URLSearchParams(kinds.map((kind) => ['resources', this.#textOf(kind)]));
    const { signal } = this.#question;
    try {
      const snapshot = await getJson(`${SNAPSHOT}?${query.toString()}`, signal && { signal });
      const lists = listAt(snapshot, 'lists');
      for (const [i, kind] of kinds.entries()) {
        this.lists.push([kind, at(lists[i], 'list') ?? {}]);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const rest = this.#without(kinds, error);
      if (rest.length === kinds.length) throw error;
      if (rest.length > 0) await this.ask(rest);
    }
  }

  /** The kinds that a refusal does not name. */
  #without(kinds: readonly Kind[], { code, about, causes }: Refused): Kind[] {
    if (code === 403) {
      const refused = new Set(causes.map(({ field }) => field));
      return kinds.filter((kind) => !noted(this.forbidden, kind, refused.has(this.#idOf(kind))));
    }
    // a group that another server keeps is not there at all
    const missing = code === 404 ? kinds.find((kind) => resourceName(kind) === about) : undefined;
    if (missing === undefined) return [...kinds];
    return kinds.filter((kind) => !noted(this.elsewhere, kind, kind.group === missing.group));
  }

  #idOf(kind: Kind): string {
    const { namespace } = this.#question;
    return `${resourceName(kind)}${namespace === '' || !kind.namespaced ? '' : `/${namespace}`}`;
  }

  #textOf(kind: Kind): string {
    return `${this.#idOf(kind)}?${this.#parameters}`;
  }
}

function noted(names: Set<string>, { kind }: Kind, is: boolean): boolean {
  if (is) names.add(kind);
  return is;
}
