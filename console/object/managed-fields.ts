import { exactText, parseExact } from '../../client/exact.ts';
import { at, isMap, type Json, type JsonMap } from '../api/json.ts';

/** Fields of one owner that are listed. */
const MOST = 500;

/** The fields that an entry of managedFields owns, as paths like `spec.ports[name="a"].port`. */
export function fieldsOf(entry: Json): string[] {
  const found: string[] = [];
  const fields = at(entry, 'fieldsV1');
  if (isMap(fields)) walk(fields, '', found);
  return found;
}

function walk(fields: JsonMap, path: string, found: string[]): void {
  for (const [key, value] of Object.entries(fields)) {
    if (found.length >= MOST) return;
    if (key === '.') continue;
    const here = path + stepOf(key, path === '');
    const inner = isMap(value) ? value : {};
    const isLeaf = Object.keys(inner).every((each) => each === '.');
    if (isLeaf) found.push(here);
    else walk(inner, here, found);
  }
}

/** `f:name` is a field, `k:{…}` an item by its keys, `v:…` an item by its value, `i:…` by its number. */
function stepOf(key: string, isFirst: boolean): string {
  const rest = key.slice(2);
  switch (key.slice(0, 2)) {
    case 'f:':
      return /^[A-Za-z_][\w-]*$/.test(rest)
        ? `${isFirst ? '' : '.'}${rest}`
        : `[${JSON.stringify(rest)}]`;
    case 'k:':
      return `[${keysOf(rest)}]`;
    case 'v:':
      return `[=${rest}]`;
    default:
      return `[${rest}]`;
  }
}

function keysOf(text: string): string {
  try {
    const keys = parseExact(text) as Json;
    return isMap(keys)
      ? Object.entries(keys)
          .map(([key, value]) => `${key}=${exactText(value)}`)
          .join(',')
      : text;
  } catch {
    return text;
  }
}
