/** Where in a YAML text something is being written. */
interface Context {
  /** To the map whose key is written, or to the value that is written. */
  readonly path: readonly (string | number)[];
  readonly isValue: boolean;
  /** Keys that the map has already. */
  readonly present: readonly string[];
}

const KEY = /^(\s*)((?:- +)*)(?:"([^"]*)"|'([^']*)'|([^\s:#"'-][^:#]*?))\s*:(?=\s|$)/;

interface Line {
  readonly indent: number;
  /** Positions of dashes in front of the key. */
  readonly dashes: readonly number[];
  readonly key: string | undefined;
}

/**
 * The place of a position by its indent. The text may be unfinished, so it is not
 * parsed; block style only.
 *
 * @param column characters before the position in its line
 */
export function contextAt(lines: readonly string[], line: number, column: number): Context {
  const text = lines[line] ?? '';
  const match = KEY.exec(text);
  const isValue = match !== null && column > text.indexOf(':', match[0].length - 1);
  const here = readLine(text, column);
  const path: (string | number)[] = [];
  let limit = here.indent;
  if (isValue && here.key !== undefined) path.unshift(here.key);
  for (const dash of here.dashes.toReversed()) {
    path.unshift(positionOf(lines, line, dash));
    limit = dash;
  }
  for (let i = line - 1; i >= 0; i--) {
    const above = readLine(lines[i] ?? '');
    if (above.key === undefined && above.dashes.length === 0) continue;
    const first = path[0];
    // A list may stand at the indent of its key.
    const isParent = above.indent < limit || (above.indent === limit && typeof first === 'number');
    if (
      isParent &&
      above.key !== undefined &&
      !(typeof first === 'number' && above.dashes.includes(limit))
    ) {
      path.unshift(above.key);
      limit = above.indent;
    }
    for (const dash of above.dashes.toReversed()) {
      if (dash >= limit || (typeof path[0] === 'number' && dash >= limit)) continue;
      path.unshift(positionOf(lines, i, dash));
      limit = dash;
    }
    if (limit === 0 && typeof path[0] !== 'number') break;
  }
  return { path, isValue, present: isValue ? [] : siblings(lines, line, here) };
}

function readLine(text: string, column = text.length): Line {
  const match = KEY.exec(text);
  if (match !== null) {
    const [, space = '', dash = ''] = match;
    const key = match[3] ?? match[4] ?? match[5];
    return { indent: space.length + dash.length, dashes: dashesOf(space, dash), key };
  }
  const [, space = '', dash = ''] = /^(\s*)((?:-(?: +|$))*)/.exec(text) ?? [];
  const isBlank = text.trim() === '';
  const indent = isBlank ? Math.min(column, space.length) : space.length + dash.length;
  return { indent, dashes: dashesOf(space, dash), key: undefined };
}

function dashesOf(space: string, dash: string): number[] {
  return [...dash.matchAll(/-/g)].map(({ index }) => space.length + index);
}

/** How many items with this dash stand above. */
function positionOf(lines: readonly string[], line: number, dash: number): number {
  let count = 0;
  for (let i = line - 1; i >= 0; i--) {
    const text = lines[i] ?? '';
    if (text.trim() === '') continue;
    const { indent, dashes } = readLine(text);
    if (dashes.includes(dash)) count += 1;
    else if (Math.min(indent, ...dashes) <= dash) break;
  }
  return count;
}

function siblings(lines: readonly string[], line: number, here: Line): string[] {
  const keys: string[] = [];
  const look = (i: number): boolean => {
    const text = lines[i] ?? '';
    if (text.trim() === '') return true;
    const { indent, dashes, key } = readLine(text);
    const isItem = dashes.length > 0;
    if (indent === here.indent && key !== undefined) keys.push(key);
    return indent >= here.indent && !(isItem && indent === here.indent);
  };
  if (here.dashes.length === 0) for (let i = line - 1; i >= 0 && look(i); i--);
  keys.reverse();
  const own = readLine(lines[line] ?? '');
  if (own.key !== undefined && own.indent === here.indent) keys.push(own.key);
  else if ((lines[line] ?? '').trim() !== '' && here.dashes.length > 0) {
    const word = (lines[line] ?? '').slice(here.indent).trim();
    if (word !== '') keys.push(word);
  }
  for (let i = line + 1; i < lines.length; i++) {
    const { indent, dashes } = readLine(lines[i] ?? '');
    if (dashes.length > 0 && indent <= here.indent) break;
    if (!look(i)) break;
  }
  return keys;
}
