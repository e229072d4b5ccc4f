import { signal } from '@preact/signals';

/** Entries of the history whose places are remembered. */
const MOST = 50;
/** The number changes with the form of what is stored. */
const STORE = 'plinth-console-visits-1';

type Memory = Map<string, unknown>;
const memories = stored();

/** The entry of the browser's history that is shown now. */
export const visit = signal(here());

/** Where the user is in an entry of the history: a part of it, which one view writes and reads. */
export class Kept<T> {
  readonly #name: string;

  /** `name`: unique among all that is kept. What is kept is JSON. */
  constructor(name: string) {
    this.#name = name;
  }

  /** What was kept when the user was there before; undefined: nothing. */
  of(id: string): T | undefined {
    return memories.get(id)?.get(this.#name) as T | undefined;
  }

  keep(id: string, value: T): void {
    const memory = memories.get(id) ?? new Map<string, unknown>();
    memories.delete(id);
    memories.set(id, memory.set(this.#name, value));
    const [oldest] = memories.keys();
    if (memories.size > MOST && oldest !== undefined) memories.delete(oldest);
  }
}

/** The browser has gone to another entry: a new one, or one of before. */
export function arrive(): void {
  visit.value = here();
}

/** Changes the address of the present entry. */
export function replaceEntry(hash: string): void {
  history.replaceState(history.state, '', hash);
}

/** How the address changes: a new entry of the history, the same one, or one for all that is typed. */
export type Entry = 'new' | 'same' | 'typed';

/** Changes the address; Back leads to the one of now unless the entry is the same. */
export function enter(hash: string, entry: Entry): void {
  const isTyped = entry === 'typed';
  const state: unknown = history.state;
  const wasTyped = typeof state === 'object' && state !== null && 'isTyped' in state;
  if (entry === 'same' || (isTyped && wasTyped)) {
    replaceEntry(hash);
    return;
  }
  const id = crypto.randomUUID();
  history.pushState({ visit: id, ...(isTyped ? { isTyped } : {}) }, '', hash);
  visit.value = id;
}

/** Forgets every place. */
export function forgetVisits(): void {
  memories.clear();
}

/** The name of the present entry; an entry that a link has made has none yet. */
function here(): string {
  const state: unknown = history.state;
  if (typeof state === 'object' && state !== null && 'visit' in state) {
    if (typeof state.visit === 'string') return state.visit;
  }
  const id = crypto.randomUUID();
  history.replaceState({ visit: id }, '');
  return id;
}

/** What was kept before the page was loaded again. */
function stored(): Map<string, Memory> {
  try {
    const text = sessionStorage.getItem(STORE) ?? '[]';
    const entries = JSON.parse(text) as [string, [string, unknown][]][];
    return new Map(entries.map(([id, memory]) => [id, new Map(memory)]));
  } catch {
    return new Map();
  }
}

addEventListener('pagehide', () => {
  try {
    const entries = [...memories].map(([id, memory]) => [id, [...memory]]);
    sessionStorage.setItem(STORE, JSON.stringify(entries));
  } catch {
    // Without storage, or room in it, places last as long as the page.
  }
});
