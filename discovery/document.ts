import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { EMPTY_BODY, type ApiRequest, type ApiResponse } from '../http/message.ts';
import { acceptsGzip, gunzipped, gzipped, gzippedWhole, GZIP_FROM_BYTES } from '../wire/gzip.ts';

/** A document that many clients ask for and that rarely changes: bytes made once, and their tag. */
export class CachedDocument {
  readonly contentType: string;
  readonly bytes: Buffer;
  #hash: string | undefined;

  constructor(contentType: string, text: string | Buffer) {
    this.contentType = contentType;
    this.bytes = typeof text === 'string' ? Buffer.from(text) : text;
  }

  /** SHA-512 of the bytes in hexadecimal capitals: what clients of this API see as ETag and hash. */
  get hash(): string {
    this.#hash ??= hashOf(this.bytes);
    return this.#hash;
  }
}

/** A document as it is kept for many requests: compressed when it is long, as nearly all clients take it. */
export interface KeptDocument {
  readonly bytes: Buffer;
  readonly isCompressed: boolean;
}

interface AnsweredDocument extends Partial<KeptDocument> {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** The document as it is to be kept; schemas shrink to a tenth or less. */
export async function keptDocument(bytes: Buffer): Promise<KeptDocument> {
  if (bytes.length <= GZIP_FROM_BYTES) return { bytes, isCompressed: false };
  return { bytes: await gzippedWhole(bytes), isCompressed: true };
}

/** SHA-512 in upper-case hexadecimal digits, for ETags and for URLs of documents. */
export function hashOf(bytes: Buffer | string): string {
  return createHash('sha512').update(bytes).digest('hex').toUpperCase();
}

/** 304 without a body for a client that has the document already, else the document. */
export function conditionalResponse(
  request: ApiRequest,
  document: CachedDocument,
  headers: Record<string, string> = {},
): ApiResponse {
  const unchanged = unchangedResponse(request, document.hash, headers);
  if (unchanged !== undefined) return unchanged;
  return documentResponse(request, document, { etag: `"${document.hash}"`, ...headers });
}

/** The document, compressed when it is long and the client takes that. */
export function documentResponse(
  request: ApiRequest,
  { contentType, bytes, isCompressed = false }: AnsweredDocument,
  headers: Record<string, string> = {},
): ApiResponse {
  const plain = { 'content-type': contentType, ...headers };
  const whole = { 'content-length': String(bytes.length) };
  if (!isCompressed && bytes.length <= GZIP_FROM_BYTES) {
    return { status: 200, headers: { ...plain, ...whole }, body: bytes };
  }
  const { vary } = headers;
  const common = {
    ...plain,
    vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
  };
  if (!acceptsGzip(request)) {
    return isCompressed
      ? { status: 200, headers: common, body: gunzipped(bytes) }
      : { status: 200, headers: { ...common, ...whole }, body: bytes };
  }
  const compressed = { ...common, 'content-encoding': 'gzip' };
  return isCompressed
    ? { status: 200, headers: { ...compressed, ...whole }, body: bytes }
    : { status: 200, headers: compressed, body: gzipped(Readable.from([bytes])) };
}

/** 304 for a client that has the document with this hash already; the document itself is not needed. */
export function unchangedResponse(
  request: ApiRequest,
  hash: string,
  headers: Record<string, string> = {},
): ApiResponse | undefined {
  const etag = `"${hash}"`;
  if (!matchesTag(request.headers['if-none-match'], etag)) return undefined;
  return { status: 304, headers: { etag, ...headers }, body: EMPTY_BODY };
}

/** Source: RFC 9110, section 13.1.2; the comparison is weak. */
function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((entry) => {
    const tag = entry.trim();
    return tag === '*' || tag.replace(/^W\//, '') === etag;
  });
}
