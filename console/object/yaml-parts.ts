/** Some lines of a text in YAML. */
export interface YamlPart {
  readonly lines: readonly YamlLine[];
  /** The lines as they are: equal parts have equal sources. */
  readonly source: string;
}

export interface YamlLine {
  readonly text: string;
  /** It stands within a text of several lines, and has neither key nor value. */
  readonly isText: boolean;
}

/** Lines of one part. */
const LINES = 100;
/** `key: |-`, `- >`: the lines below, as far as they are indented more, are one text. */
const BLOCK_END = /(?:^|[\s-])[|>][-+\d]*$/;
const KEY_START = /^\s*(?:- )*/;

/** A text of YAML that the server writes, in parts that can be drawn one after the other. */
export function partsOf(text: string): YamlPart[] {
  const lines = text.replace(/\n$/, '').split('\n');
  const parts: YamlPart[] = [];
  let block = -1;
  const lineOf = (line: string): YamlLine => {
    const indent = line.length - line.trimStart().length;
    const isText = block >= 0 && (indent > block || line.trim() === '');
    if (!isText) block = BLOCK_END.test(line.slice(-8)) ? keyColumn(line) : -1;
    return { text: line, isText };
  };
  for (let i = 0; i < lines.length; i += LINES) {
    const some = lines.slice(i, i + LINES);
    parts.push({ lines: some.map(lineOf), source: some.join('\n') });
  }
  return parts;
}

/** Where the key of a line begins; of an item without a key: its dash. */
function keyColumn(line: string): number {
  const [start = ''] = KEY_START.exec(line) ?? [];
  const rest = line.slice(start.length);
  return /^[|>]/.test(rest) ? start.lastIndexOf('-') : start.length;
}
