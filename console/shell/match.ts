/**
 * How well a text fits what was typed: 0 is not at all, more is better. Letters
 * must occur in their order; beginnings of words and whole runs count more.
 */
export function fit(text: string, typed: string): number {
  if (typed === '') return 1;
  const [low, wanted] = [text.toLowerCase(), typed.toLowerCase()];
  if (low === wanted) return 1_000;
  if (low.startsWith(wanted)) return 900 - text.length;
  const at = low.indexOf(wanted);
  if (at >= 0) return 600 - at - text.length / 10;
  const capitals = text.replace(/[^A-Z]/g, '').toLowerCase();
  if (capitals.startsWith(wanted)) return 500 - text.length;
  let from = 0;
  for (const letter of wanted) {
    from = low.indexOf(letter, from) + 1;
    if (from === 0) return 0;
  }
  return 100 - text.length / 10;
}
