/** Words that say that something is well, under way, or wrong. */
const GOOD = /^(?:true|ready|active|available|established|bound|running|approved.*|succeeded|ok)$/i;
const BAD =
  /^(?:false|failed|error|unknown|denied|lost|notready|unavailable|missing.*|crashloop.*)$/i;
const BUSY = /^(?:pending|terminating|progressing|waiting|creating|deleting)$/i;

/** The colour of a word that says how something is; empty: none. */
export function toneOf(text: string): '' | 'good' | 'bad' | 'busy' {
  if (GOOD.test(text)) return 'good';
  if (BAD.test(text)) return 'bad';
  return BUSY.test(text) ? 'busy' : '';
}
