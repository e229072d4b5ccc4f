import type { IncomingHttpHeaders } from 'node:http';
import type { PeerCertificate } from 'node:tls';
import type { ApiError } from '../api/api-error.ts';
import type { Query } from '../api/query.ts';
import type { FrameSink } from '../watch/frame-sink.ts';
import type { Cancellation } from './cancellation.ts';

/** A request, free of sockets and frameworks: what the pipeline works on. */
export interface ApiRequest {
  readonly method: string;
  /** As sent, without the query: still percent-encoded. */
  readonly rawPath: string;
  readonly query: Query;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** As sent: name, value, name, value. Tells a header that came twice from one with a comma in it. */
  readonly rawHeaders: string[];
  /**
   * The whole body. To be called at most once.
   *
   * @throws ApiError 413 beyond the limit, 400 when it does not arrive whole
   */
  readonly body: (maxBytes: number) => Promise<Buffer>;
  /** Once it is aborted, work under way can stop; an answer is still sent if the connection allows it. */
  readonly cancellation: Cancellation;
  readonly peer: Peer;
  /** Who is answered, as far as it is known; shared by all copies of the request. */
  readonly sender?: Sender;
  /**
   * Lets the connection rest: once this request is answered, the next one is not
   * read before `until` calls back. Undefined after the connection was upgraded to another protocol.
   */
  readonly rest?: ((until: (resume: () => void) => void) => void) | undefined;
  /** Set when the connection can become a stream of another protocol: the client asked for one. */
  readonly isUpgradable?: boolean;
}

interface Sender {
  /** Whose budget of unsent bytes the answer counts in; empty until the user is authenticated. */
  user: string;
}

export interface Peer {
  readonly address: string;
  /** The client's certificate, verified against the client CA; undefined when it gave none. */
  readonly certificate: PeerCertificate | undefined;
  /** SHA-256 fingerprints of the authorities above that certificate, as Node writes them. */
  readonly issuers: readonly string[];
}

/** An answer: a status, headers, and a body in one of three forms. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: ResponseBody;
}

export type ResponseBody =
  | Buffer
  /** Pieces of 64 to 256 KB, pulled as the client takes them. */
  | AsyncIterable<Buffer>
  /** A stream that pushes for as long as it likes. */
  | PushedBody;

/** A body whose source decides when there is something to send: a watch. */
export interface PushedBody {
  /** Begins to push. */
  start(sink: FrameSink): PushControl;
  /** It will never start, since its client has gone: releases what it holds already. */
  discard?(): void;
}

export interface PushControl {
  /** The sink that was full has room again. */
  resume(): void;
  /** The client has gone. */
  close(): void;
  /** Ends the stream with this error, told to the client where the protocol can; absent: by `close`. */
  fail?(error: ApiError): void;
  /**
   * Bytes from the client, in pieces of any size: where the answer is 101. No
   * more are read until what it returns is settled.
   */
  receive?(bytes: Buffer): Promise<void> | undefined;
  /** A whole message from the client, over a WebSocket. The next one waits until what it returns is settled. */
  message?(payload: Buffer): Promise<void>;
}

/** Ends a stream with this error, told to the client where the protocol can. */
export function failStream(control: PushControl, error: ApiError): void {
  if (control.fail === undefined) control.close();
  else control.fail(error);
}

/** A body that pushes, as watches do; other bodies are pulled. */
export function isPushed(body: ResponseBody): body is PushedBody {
  return 'start' in body;
}

export const EMPTY_BODY = Buffer.alloc(0);

/** A short text: health checks, unknown paths outside the API. */
export function textResponse(status: number, text: string): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: Buffer.from(text),
  };
}

/**
 * An answer in JSON with a line feed at its end.
 *
 * @throws TypeError on a bigint: objects of the API are written by `api/json-write.ts`.
 */
export function jsonResponse(
  status: number,
  value: unknown,
  headers: Record<string, string | string[]> = {},
): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(`${JSON.stringify(value)}\n`),
  };
}
