import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { EMPTY_BODY, type ApiRequest, type ApiResponse } from '../http/message.ts';
import { acceptsGzip, gzipped, GZIP_FROM_BYTES } from '../wire/gzip.ts';

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
  { contentType, bytes }: { readonly contentType: string; readonly bytes: Buffer },
  headers: Record<string, string> = {},
): ApiResponse {
  const common = { 'content-type': contentType, ...headers };
  if (bytes.length <= GZIP_FROM_BYTES || !acceptsGzip(request)) {
    return {
      status: 200,
      headers: { ...common, 'content-length': String(bytes.length) },
      body: bytes,
    };
  }
  const { vary } = headers;
  return {
    status: 200,
    headers: {
      ...common,
      'content-encoding': 'gzip',
      vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
    },
    body: gzipped(Readable.from([bytes])),
  };
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
