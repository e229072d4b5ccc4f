import { parseExact } from '../../client/exact.ts';
import type { Data, Path, Step } from './data.ts';

const KEYED = /^\[([^\]"]*(?:"(?:[^"\\]|\\.)*"[^\]"]*)*)\]/;

/**
 * Reads a path of a conflict, as `.spec.users[name="app"].admin`. Names with points
 * cannot be told apart from two names; the value then decides, see `names`.
 *
 * @param names whether the value has a key at this place, to recognise keys with points
 * @returns undefined for a path that has another form
 */
export function parseFieldPath(
  text: string,
  names: (path: Path, name: string) => boolean,
): Path | undefined {
  const path: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const keyed = KEYED.exec(rest);
    if (keyed !== null) {
      const step = stepOf(keyed[1] ?? '');
      if (step === undefined) return undefined;
      path.push(step);
      rest = rest.slice(keyed[0].length);
      continue;
    }
    const [name, length] = nameOf(rest.replace(/^\./, ''), (each) => names(path, each));
    if (name === '') return undefined;
    path.push(name);
    rest = rest.slice(length + (rest.startsWith('.') ? 1 : 0));
  }
  return path;
}

/** The longest name that the value has; otherwise up to the next point or bracket. */
function nameOf(text: string, has: (name: string) => boolean): [string, number] {
  const ends = [...text.matchAll(/[.[]|$/g)].map(({ index }) => index);
  for (const end of ends.toReversed()) {
    const name = text.slice(0, end);
    if (has(name)) return [name, end];
  }
  const first = ends[0] ?? text.length;
  return [text.slice(0, first), first];
}

function stepOf(text: string): Step | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const keys: Record<string, Data> = {};
  for (const part of text.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []) {
    const mark = part.indexOf('=');
    if (mark <= 0) return undefined;
    try {
      keys[part.slice(0, mark)] = parseExact(part.slice(mark + 1)) as Data;
    } catch {
      return undefined;
    }
  }
  return Object.keys(keys).length === 0 ? undefined : { keys };
}
