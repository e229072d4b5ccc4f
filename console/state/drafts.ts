/**
 * What was typed and not saved; it outlives the page, so that signing in again as the
 * same user loses nothing.
 */
interface Draft {
  readonly base: string;
  readonly text: string;
}

const PREFIX = 'plinth-draft-';
/** Characters of a draft that are kept. */
const MOST = 1_000_000;

/** The draft for an object; undefined: there is none. */
export function readDraft(key: string): Draft | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null');
    if (typeof value !== 'object' || value === null) return undefined;
    const { base, text } = value as Partial<Draft>;
    return typeof base === 'string' && typeof text === 'string' ? { base, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Drafts that last only as long as the page: they are too long, or there is no storage. */
const unkept = new Set<string>();

/** Whether every draft outlives the page. */
export function areDraftsKept(): boolean {
  return unkept.size === 0;
}

/** Keeps a draft, or forgets it. */
export function keepDraft(key: string, draft: Draft | undefined): void {
  unkept.delete(key);
  try {
    if (draft === undefined || draft.text === draft.base) sessionStorage.removeItem(PREFIX + key);
    else if (draft.text.length <= MOST) sessionStorage.setItem(PREFIX + key, JSON.stringify(draft));
    else unkept.add(key);
  } catch {
    if (draft !== undefined) unkept.add(key);
  }
}

/** Forgets all drafts of this tab. */
export function forgetDrafts(): void {
  unkept.clear();
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX));
    for (const name of names) sessionStorage.removeItem(name);
  } catch {
    // Without storage there are none.
  }
}
