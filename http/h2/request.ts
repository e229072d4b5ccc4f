import type { IncomingHttpHeaders } from 'node:http';
import type { IncomingHttpHeaders as Http2Headers, ServerHttp2Stream } from 'node:http2';
import type { Cancellation } from '../cancellation.ts';
import type { ApiRequest, Peer } from '../message.ts';
import { readBody } from '../request-body.ts';
import { originFormOf, targetParts } from '../request-target.ts';

/** The head of a request, as Node hands it on. */
export interface Http2Head {
  readonly headers: Http2Headers;
  /** As sent: name, value, name, value. */
  readonly rawHeaders: readonly string[];
}

interface StreamContext {
  readonly cancellation: Cancellation;
  readonly peer: Peer;
  readonly rest: NonNullable<ApiRequest['rest']>;
}

/** What the pipeline sees of a stream: `:authority` is its Host header, as in HTTP/1.1. */
export function apiRequestOf(
  stream: ServerHttp2Stream,
  { headers: sent, rawHeaders: sentRaw }: Http2Head,
  { cancellation, peer, rest }: StreamContext,
): ApiRequest {
  const headers: IncomingHttpHeaders = {};
  for (const name in sent) if (!name.startsWith(':')) headers[name] = sent[name];
  const rawHeaders: string[] = [];
  for (let i = 0; i + 1 < sentRaw.length; i += 2) {
    const [name = '', value = ''] = [sentRaw[i], sentRaw[i + 1]];
    if (!name.startsWith(':')) rawHeaders.push(name, value);
  }
  const authority = sent[':authority'];
  // Where both are there and differ, they are two Host headers, which is refused.
  if (authority !== undefined && headers.host !== authority) {
    headers.host ??= authority;
    rawHeaders.push('host', authority);
  }
  const { rawPath, query } = targetParts(originFormOf(sent[':path'] ?? '/'));
  return {
    method: sent[':method'] ?? 'GET',
    rawPath,
    query,
    headers,
    rawHeaders,
    body: (maxBytes) => {
      if (headers.expect === '100-continue') askForBody(stream);
      return readBody(stream, headers['content-length'], maxBytes);
    },
    cancellation,
    peer,
    sender: { user: '' },
    rest,
  };
}

/** `100 Continue`, which Node sends by itself only in its interface that looks like HTTP/1.1. */
function askForBody(stream: ServerHttp2Stream): void {
  const isLate = stream.headersSent || stream.destroyed || stream.readableEnded;
  if (!isLate) stream.additionalHeaders({ ':status': 100 });
}
