import { endOfString, endOfTree, standsAt } from '../api/json-scan.ts';
import { CLOSE_BRACE, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../api/json-bytes.ts';

const LABELS = Buffer.from('"labels":{');
const BEGINNING = Buffer.from('{"apiVersion":"');
/** What a label's key and value are made of, and what stands between them. */
const PLAIN = /^\{(?:"[\w./-]*":"[\w./-]*",?)*\}$/;

/** What a load needs to know of an object's metadata. */
interface MetadataShape {
  /** The text of its labels, `{"key":"value"}`; `{}` without labels. */
  readonly labels: string;
  /** Position behind its closing brace. */
  readonly end: number;
}

/**
 * Labels and end of the metadata, out of bytes that this server has written;
 * undefined where they have to be parsed. One walk from member to member that
 * reads nothing else: with 100,000 objects of 1.1 KB a start took 2.7 s of CPU
 * when each was parsed, see docs/performance.md.
 */
export function metadataShape(stored: Buffer, metadataOffset: number): MetadataShape | undefined {
  const { length } = stored;
  if (!standsAt(stored, 0, BEGINNING) || stored[length - 1] !== CLOSE_BRACE) return undefined;
  let labels = '{}';
  for (let at = metadataOffset; at < length; at++) {
    const byte = stored[at] as number;
    if (byte === QUOTE) {
      if (standsAt(stored, at, LABELS)) {
        const start = at + LABELS.length - 1;
        const end = endOfTree(stored, start);
        labels = stored.toString('latin1', start, end);
        if (!PLAIN.test(labels)) return undefined;
        at = end - 1;
      } else {
        at = endOfString(stored, at);
      }
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      at = endOfTree(stored, at) - 1;
    } else if (byte === CLOSE_BRACE) {
      return { labels, end: at + 1 };
    }
  }
  return undefined;
}
