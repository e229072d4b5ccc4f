import { tooManyRequests } from '../../api/api-error.ts';
import type { Selectors } from '../../registry/selectors.ts';
import type { AcceptedWatch } from '../../registry/watch.ts';

/** Terms and values in the different selectors of all open watches of one user. */
const MAX_OPEN_TERMS = 100_000;
/** A selector with fewer takes little: only long ones are counted. */
const LONG_TERMS = 10;
const RETRY_SECONDS = 1;

interface OfUser {
  terms: number;
  /** How many watches have a selector, by its text. */
  readonly watches: Map<string, number>;
}

/**
 * What the selectors of open watches take in memory, for each user. Watches with
 * equal selectors share one, so it is counted once.
 */
export class OpenSelectors {
  readonly #users = new Map<string, OfUser>();

  /**
   * The watch, counted from its beginning to its end.
   *
   * @throws ApiError 429
   */
  admit(user: string, sent: Selectors, watch: AcceptedWatch): AcceptedWatch {
    this.check(user, sent);
    return {
      open: (encoder, sink, onClose) => {
        const close = this.open(user, sent);
        return watch.open(encoder, sink, () => {
          close();
          onClose();
        });
      },
    };
  }

  /** @throws ApiError 429 when there is no room for the selectors of one more watch */
  check(user: string, sent: Selectors): void {
    const open = this.#users.get(user);
    let terms = open?.terms ?? 0;
    const counted = longOnes(sent);
    if (counted.length === 0) return;
    for (const text of counted) if (open?.watches.has(text) !== true) terms += termsOf(text);
    if (terms <= MAX_OPEN_TERMS) return;
    throw tooManyRequests(
      `the selectors of the open watches of user ${JSON.stringify(user)} would have ${terms} terms and values: limit is ${MAX_OPEN_TERMS}; close watches, or use shorter selectors`,
      RETRY_SECONDS,
    );
  }

  /** Counts a watch; call the answer once when it has ended. */
  open(user: string, sent: Selectors): () => void {
    const counted = longOnes(sent);
    if (counted.length === 0) return () => undefined;
    const open = this.#users.get(user) ?? { terms: 0, watches: new Map<string, number>() };
    this.#users.set(user, open);
    for (const text of counted) {
      const watches = open.watches.get(text) ?? 0;
      if (watches === 0) open.terms += termsOf(text);
      open.watches.set(text, watches + 1);
    }
    return () => this.#close(user, open, counted);
  }

  #close(user: string, open: OfUser, counted: readonly string[]): void {
    for (const text of counted) {
      const left = (open.watches.get(text) ?? 0) - 1;
      if (left > 0) open.watches.set(text, left);
      else {
        open.watches.delete(text);
        open.terms -= termsOf(text);
      }
    }
    if (open.watches.size === 0) this.#users.delete(user);
  }
}

function longOnes({ labelSelector, fieldSelector, filter }: Selectors): string[] {
  const texts = [labelSelector, fieldSelector, filter === '' ? '' : FILTER + filter];
  return texts.filter((text) => termsOf(text) >= LONG_TERMS);
}

/** Marks the text of a filter, which a selector cannot begin with. */
const FILTER = '\n';
/** Characters of a filter that take about as much as a term of a selector. */
const FILTER_CHARACTERS_PER_TERM = 10;

/** Terms and values of sets stand between commas. */
function termsOf(text: string): number {
  if (text.startsWith(FILTER)) return Math.ceil(text.length / FILTER_CHARACTERS_PER_TERM);
  let terms = 1;
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) terms++;
  return terms;
}
