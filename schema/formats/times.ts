const GO_DURATION = /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const GO_PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g;
const SECOND = 1_000_000_000n;
const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};
/** A number and a word; numbers alone are matched too, so that each digit is looked at once. */
const WORDED_PART = /(\d+)[\t\n\f\r ]*([A-Za-zµ]*)/g;
/** Units in words: the first forms as they are, or any word that begins with the last. */
const WORDS: readonly (readonly [exact: readonly string[], prefix: string, nanoseconds: bigint])[] =
  [
    [['ns'], 'nano', 1n],
    [['us', 'µs'], 'micro', 1_000n],
    [['ms'], 'milli', 1_000_000n],
    [['s'], 'sec', SECOND],
    [['m'], 'min', 60n * SECOND],
    [['h', 'hr'], 'hour', 3600n * SECOND],
    [['d'], 'day', 86_400n * SECOND],
    [['w', 'wk'], 'week', 604_800n * SECOND],
  ];
const INT64_MAX = 2n ** 63n - 1n;
/** Longer strings are refused as durations. */
const MAX_DURATION_LENGTH = 1000;

/** As Go writes it (`1h30m`), or with units in words anywhere in the text (`2 days`). */
export function isDuration(text: string): boolean {
  return durationNanoseconds(text) !== undefined;
}

/** The nanoseconds of a duration; undefined when the text is none or they do not fit 64 bits. */
export function durationNanoseconds(text: string): bigint | undefined {
  if (text.length > MAX_DURATION_LENGTH) return undefined;
  return goDuration(text) ?? wordedDuration(text);
}

function goDuration(text: string): bigint | undefined {
  if (/^[-+]?0$/.test(text)) return 0n;
  if (!GO_DURATION.test(text)) return undefined;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(GO_PART)) {
    const nanoseconds = NANOSECONDS[unit] ?? 0n;
    total += BigInt(whole) * nanoseconds;
    total += (BigInt(fraction) * nanoseconds) / 10n ** BigInt(fraction.length);
  }
  if (total > INT64_MAX) return undefined;
  return text.startsWith('-') ? -total : total;
}

function wordedDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, amount = '', word = ''] of text.matchAll(WORDED_PART)) {
    if (word === '') continue;
    const count = BigInt(amount);
    if (count > INT64_MAX) return undefined;
    const unit = unitOf(word.toLowerCase());
    if (unit !== undefined) total = (total ?? 0n) + count * unit;
  }
  if (total === undefined) return undefined;
  // kube-apiserver counts past 64 bits without noticing; here such a text means the longest duration
  return total > INT64_MAX ? INT64_MAX : total;
}

function unitOf(word: string): bigint | undefined {
  return WORDS.find(([exact, prefix]) => exact.includes(word) || word.startsWith(prefix))?.[2];
}
