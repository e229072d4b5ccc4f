import type { ApiRequest } from './message.ts';

/**
 * Every value of a header, one for each time it was sent. The parsed headers
 * join them with commas, and a comma may be part of a value. Bytes beyond ASCII
 * are read as UTF-8 where they are that.
 */
export function headerValues(
  { rawHeaders }: Pick<ApiRequest, 'rawHeaders'>,
  name: string,
): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(utf8(rawHeaders[i + 1] ?? ''));
  }
  return values;
}

/** The values of all headers whose names begin so, by the rest of the name in lower case. */
export function headersWithPrefix(
  { rawHeaders }: Pick<ApiRequest, 'rawHeaders'>,
  prefix: string,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    if (!name.startsWith(prefix)) continue;
    const rest = name.slice(prefix.length);
    const values = found.get(rest) ?? [];
    values.push(utf8(rawHeaders[i + 1] ?? ''));
    found.set(rest, values);
  }
  return found;
}

/** Takes headers away for good, parsed (where their names stay, without a value) and as they were sent. */
export function removeHeaders(
  { headers, rawHeaders }: ApiRequest,
  isUnwanted: (name: string) => boolean,
): void {
  const unwanted = Object.keys(headers).filter(isUnwanted);
  if (unwanted.length === 0) return;
  // Not deleted: V8 makes a dictionary of an object that loses a property, at the cost of all the rest.
  for (const name of unwanted) headers[name] = undefined;
  let kept = 0;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]];
    if (isUnwanted(name.toLowerCase())) continue;
    rawHeaders[kept++] = name;
    rawHeaders[kept++] = value;
  }
  rawHeaders.length = kept;
}

const BEYOND_ASCII = /[\x80-\xff]/;

function utf8(latin1: string): string {
  if (!BEYOND_ASCII.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? latin1 : text;
}
