/** The text, or its first `most` characters and a mark where it has more. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
