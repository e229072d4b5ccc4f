import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError */
export function urls(text: string): string[] {
  const list = commaList(text);
  for (const item of list) {
    const url = URL.canParse(item) ? new URL(item) : undefined;
    if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
      throw new InvalidArgumentError(`${JSON.stringify(item)} is not an http(s) URL.`);
    }
  }
  return list;
}

/** @throws InvalidArgumentError */
export function prefix(text: string): string {
  if (!/^\/[^\s]*[^/\s]$/.test(text)) {
    throw new InvalidArgumentError('It must begin with a slash and not end with one.');
  }
  return text;
}

/** The items between commas, without blanks around them and without empty ones. */
export function commaList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** @throws InvalidArgumentError */
export function integerBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/**
 * Whole seconds, or a duration such as `90s`, `2m0s` or `1h`.
 *
 * @throws InvalidArgumentError
 */
export function secondsBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : durationSeconds(text);
    if (value === undefined || value < min || value > max) {
      throw new InvalidArgumentError(
        `It must be a number of seconds from ${min} to ${max}, or a duration such as 2m0s.`,
      );
    }
    return value;
  };
}

function durationSeconds(text: string): number | undefined {
  if (!/^(?:\d+[hms])+$/.test(text)) return undefined;
  let seconds = 0;
  for (const [, number = '', unit = ''] of text.matchAll(/(\d+)([hms])/g)) {
    seconds += Number(number) * (UNIT_SECONDS[unit] ?? 0);
  }
  return seconds;
}

/** @throws InvalidArgumentError */
export function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false') {
    throw new InvalidArgumentError('It must be true or false.');
  }
  return text === 'true';
}

/** One of several words, or some of them with commas between. */
export function someOf(words: readonly string[]): (text: string) => string[] {
  return (text) => {
    const list = commaList(text);
    const unknown = list.find((item) => !words.includes(item));
    if (unknown !== undefined || list.length === 0) {
      throw new InvalidArgumentError(`It must be some of ${words.join(', ')}.`);
    }
    return list;
  };
}

/** A flag that may come several times. */
export function repeated(text: string, previous: unknown): string[] {
  return [...(Array.isArray(previous) ? (previous as string[]) : []), text];
}
