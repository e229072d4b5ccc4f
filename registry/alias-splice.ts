import { aliasGroup } from '../api/naming.ts';
import { metadataRange } from '../storage/metadata-range.ts';

const patterns = new Map<string, { readonly neutral: Buffer; readonly alias: Buffer }>();

function patternsOf(group: string): { readonly neutral: Buffer; readonly alias: Buffer } {
  let found = patterns.get(group);
  if (found === undefined) {
    const pattern = (name: string): Buffer => Buffer.from(`{"apiVersion":"${name}/`);
    found = { neutral: pattern(group), alias: pattern(aliasGroup(group)) };
    patterns.set(group, found);
  }
  return found;
}

/**
 * Finished bytes of an object of `group` under the alias of that group: the
 * object's own apiVersion and those of its managers, without reading the rest.
 * Both stand first in their objects, and field names in managedFields carry a
 * prefix, so the text is found nowhere else in that range.
 */
export function withAliasSpliced(bytes: Buffer, group: string): Buffer {
  const { neutral, alias } = patternsOf(group);
  const { managedStart, managedEnd } = metadataRange(bytes);
  const places: number[] = bytes.indexOf(neutral) === 0 ? [0] : [];
  let at = managedEnd === 0 ? -1 : bytes.indexOf(neutral, managedStart);
  while (at >= 0 && at < managedEnd) {
    places.push(at);
    at = bytes.indexOf(neutral, at + neutral.length);
  }
  const growth = alias.length - neutral.length;
  const spliced = Buffer.allocUnsafeSlow(bytes.length + growth * places.length);
  let from = 0;
  let to = 0;
  for (const place of places) {
    to += bytes.copy(spliced, to, from, place);
    to += alias.copy(spliced, to);
    from = place + neutral.length;
  }
  bytes.copy(spliced, to, from);
  return spliced;
}
