const NUMBER = new Intl.NumberFormat('en');

/** A number for people: `12,345`. */
export function numberText(value: number): string {
  return NUMBER.format(value);
}

/** `1 object`, `3 objects`. */
export function counted(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}
