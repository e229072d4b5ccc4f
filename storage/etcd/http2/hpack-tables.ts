/** What either side remembers of the fields of the other, unless it is told otherwise. */
export const TABLE_BYTES = 4_096;
/** What each remembered field counts in addition to its texts. */
const FIELD_BYTES = 32;

/** Bytes that a field counts in a table (RFC 7541, 4.1); names and values are ASCII. */
export function sizeOfField(name: string, value: string): number {
  return FIELD_BYTES + name.length + value.length;
}

/** Names and values that both sides know from the beginning (RFC 7541, appendix A); the first has the index 1. */
export const STATIC_FIELDS: readonly (readonly [name: string, value: string])[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  ...['200', '204', '206', '304', '400', '404', '500'].map((code) => [':status', code] as const),
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ...[
    'accept-language accept-ranges accept access-control-allow-origin age allow authorization',
    'cache-control content-disposition content-encoding content-language content-length',
    'content-location content-range content-type cookie date etag expect expires from host',
    'if-match if-modified-since if-none-match if-range if-unmodified-since last-modified link',
    'location max-forwards proxy-authenticate proxy-authorization range referer refresh',
    'retry-after server set-cookie strict-transport-security transfer-encoding user-agent vary',
    'via www-authenticate',
  ].flatMap((line) => line.split(' ').map((name) => [name, ''] as const)),
];

/** How many bits the Huffman code of each byte has, and of the end of a text, the last (appendix B). */
const CODE_BITS: readonly number[] = [
  ...[13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28],
  ...[28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28],
  ...[6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6],
  ...[5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10],
  ...[13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
  ...[7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6],
  ...[15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5],
  ...[6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28],
  ...[20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23],
  ...[24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24],
  ...[22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23],
  ...[21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23],
  ...[26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25],
  ...[19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27],
  ...[20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23],
  ...[26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26],
  30,
];
export const MAX_CODE_BITS = 30;
export const END_OF_TEXT = 256;

/** The codes of one length: they follow each other, in the order of their symbols. */
interface CodesOfLength {
  readonly first: number;
  readonly symbols: readonly number[];
}

/** By the number of bits. Codes of the same length are in order, and each length goes on where the shorter one ended. */
export const CODES: readonly CodesOfLength[] = codes();

function codes(): CodesOfLength[] {
  const byLength: CodesOfLength[] = [];
  let next = 0;
  for (let bits = 0; bits <= MAX_CODE_BITS; bits++) {
    const symbols = CODE_BITS.flatMap((length, symbol) => (length === bits ? [symbol] : []));
    byLength.push({ first: next, symbols });
    next = (next + symbols.length) * 2;
  }
  return byLength;
}
