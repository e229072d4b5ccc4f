/** Characters of a selector as a client writes it. */
const MAX_SELECTOR_CHARACTERS = 65_536;
/** Conditions of a selector; each is one term between commas. */
export const MAX_SELECTOR_TERMS = 1_000;

/** Why a selector is too large to be read; undefined: it is not. */
export function oversize(text: string): string | undefined {
  if (text.length <= MAX_SELECTOR_CHARACTERS) return undefined;
  return `the selector has ${text.length} characters: limit is ${MAX_SELECTOR_CHARACTERS}`;
}

export const TOO_MANY_TERMS = `the selector has too many terms: limit is ${MAX_SELECTOR_TERMS}`;
