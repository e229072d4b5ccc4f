/** An expression for objects whose name contains a text, in small letters or capitals. */
export function nameHas(text: string): string {
  return `object.metadata.name.lowerAscii().contains(${JSON.stringify(text.toLowerCase())})`;
}
