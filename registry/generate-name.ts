/** No vowels and nothing that looks like something else, so that no word comes out. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
/** Leaves room for the suffix in a label of 63 characters. */
const MAX_BASE = 58;
/** A generated name that is taken is drawn again so often. */
export const GENERATE_ATTEMPTS = 8;

/** The prefix and a random suffix (behaviours 3.2). `random` in [0, 1). */
export function generateName(prefix: string, random: () => number): string {
  let name = prefix.slice(0, MAX_BASE);
  for (let i = 0; i < SUFFIX_LENGTH; i++) {
    name += ALPHABET.charAt(Math.floor(random() * ALPHABET.length));
  }
  return name;
}
