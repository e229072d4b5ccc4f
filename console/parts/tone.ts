/** Words that say that something is well, under way, or wrong. */
const GOOD = /^(?:true|ready|active|available|established|bound|running|approved.*|succeeded|ok)$/i;
const BAD =
  /^(?:false(?: \(.+\))?|failed|error|denied|lost|notready|unavailable|missing.*|crashloop.*)$/i;
const BUSY = /^(?:pending|terminating|progressing|waiting|creating|deleting)$/i;

/** The colour of a word that says how something is; empty: none. */
export function toneOf(text: string): '' | 'good' | 'bad' | 'busy' {
  if (GOOD.test(text)) return 'good';
  if (BAD.test(text)) return 'bad';
  return BUSY.test(text) ? 'busy' : '';
}

/** Conditions that say that something is wrong when they hold. */
const ALARM =
  /(?:degraded|pressure|stalled|failed|failure|error|unavailable|terminating|conflict|violation)$/i;

/** The colour of a condition: what is unknown has none, nor has an alarm that does not hold. */
export function toneOfCondition(type: string, status: string): '' | 'good' | 'bad' | 'busy' {
  if (status !== 'True' && status !== 'False') return '';
  if (!ALARM.test(type)) return toneOf(status);
  return status === 'True' ? 'bad' : '';
}
