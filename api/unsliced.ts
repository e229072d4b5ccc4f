/** The same text by itself: a string that was cut out of another one keeps that alive. */
export function unsliced(text: string): string {
  return Buffer.from(text).toString();
}
