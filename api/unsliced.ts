/** The same text by itself: a string that was cut out of another one keeps that alive. */
export function unsliced(text: string): string {
  const copy = Buffer.from(text).toString();
  // UTF-8 has no half of a surrogate pair
  return copy === text ? copy : Buffer.from(text, 'utf16le').toString('utf16le');
}
